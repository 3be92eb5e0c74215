/** How a logger's CAN frames become signals (docs/design.md section 1, "data definition"). */

/** One DBC signal that feeds one of our signals: value = raw value x factor + offset. */
export type SignalMapping = {
  /** CAN bus 0 to 3; absent: whichever bus has the signal. */
  readonly bus?: number;
  /** DBC message name; absent when the signal's name is unique. */
  readonly message?: string;
  /** DBC signal name. */
  readonly signal: string;
  /** Our name for it: `Soc1`, `MotorSpeed` … */
  readonly to: string;
  readonly factor?: number;
  readonly offset?: number;
};

/** A DBC message whose signals are all kept, under their DBC names ("bewaren"). */
export type KeptMessage = { readonly bus: number; readonly message: string };

export type Mapping = { readonly signals: readonly SignalMapping[]; readonly keep: readonly KeptMessage[] };

export type BusDefinition = {
  /** CAN bus 0 to 3. */
  readonly bus: number;
  /** bit/s; a DBC does not say it. */
  readonly bitrate: number;
  /** File name, for people. */
  readonly name: string;
  /** The DBC text, decoded from UTF-8 or cp1252. */
  readonly dbc: string;
};

export type Definition = { readonly buses: readonly BusDefinition[]; readonly mapping: Mapping };
