/** The wire form of GET /api/live (docs/design.md section 4). */

export type Battery = { readonly capacity: number | null }; // kWh
export type Accessory = { readonly naam: string; readonly nummer: number };

/** What the administration knows of a machine or an LMB logger. */
export type LiveMetadata = {
  /** `logger`: an LMB logger, keyed by its loggerid. */
  readonly kind: 'machine' | 'logger';
  readonly serialNumber: string;
  /** Functional name of the owning organization, and its display name. */
  readonly organization: string;
  readonly cleanorg: string;
  readonly alias: string;
  readonly brand: string;
  readonly model: string;
  readonly macaddress: string;
  /** Serial number of the ReXgen logger that reports for it now; empty when there is none. */
  readonly loggerId: string;
  readonly batteries: readonly Battery[];
  readonly hulpstukken: readonly Accessory[];
};

/**
 * The newest value of each signal that the live rules use. LATITUDE and LONGITUDE are 0 when missing;
 * GMT_UNIX is the time of the newest reading in seconds, 0 when there was none yet. POSITION_UNIX is the
 * time of the position, which outlives the other signals. Further keys: the catalogue's live signals (signal.ts), every
 * IsCharging* and every soc*, each absent when it is older than 5 minutes at the time of the newest reading.
 */
export type LiveData = {
  readonly LATITUDE: number;
  readonly LONGITUDE: number;
  readonly GMT_UNIX: number;
  readonly POSITION_UNIX?: number;
} & Readonly<Record<string, number | undefined>>;

export type LiveEntry = { readonly metadata: LiveMetadata; readonly liveData: LiveData };

/** Keyed by serial number (machines) or loggerid (LMB loggers). */
export type LiveResponse = Readonly<Record<string, LiveEntry>>;
