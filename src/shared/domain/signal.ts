/**
 * The signal catalogue, one line per signal. The lists of columns and of live, mappable and charging signals, the Dutch names and the
 * arguments of SQL functions are derived from it. A reading may contain any other signal too, which is stored under the logger's name for
 * it.
 */

export type KnownSignal = {
  /** Spelling in calls and in the database. Soc* and IsCharging* signals keep the logger's own spelling. */
  readonly name: string;
  /** Dutch name. */
  readonly word: string;
  /** Unit on the screen. */
  readonly unit: string;
  /** Decimals on the screen; 0 for a code or a flag. */
  readonly decimals: number;
  /** Column of table `reading`. A new signal needs a migration that adds it. */
  readonly column: string;
  /** Whether GET /api/live contains the signal while it is fresh; positions have their own rule (live-data.ts). */
  readonly live: boolean;
  /** Whether the signal is used to detect that charging started, ended or completed (charging-events.ts). */
  readonly charging: boolean;
  /** Whether the signal is a code of work on rail, which only LMB loggers need. */
  readonly rail: boolean;
};

const signal = (
  name: string,
  column: string,
  word: string,
  unit: string,
  decimals: number,
  uses: readonly ('live' | 'charging' | 'rail')[] = [],
): KnownSignal => ({
  name,
  column,
  word,
  unit,
  decimals,
  live: uses.includes('live'),
  charging: uses.includes('charging'),
  rail: uses.includes('rail'),
});

/** In the order of the mapping screen and of the database's columns. */
export const SIGNALS: readonly KnownSignal[] = [
  signal('LATITUDE', 'latitude', 'Breedtegraad', 'graden', 6), // WGS 84
  signal('LONGITUDE', 'longitude', 'Lengtegraad', 'graden', 6),
  signal('MotorSpeed', 'motor_speed', 'Motortoerental', 'rpm', 0, ['live']),
  signal('ChargingCurrent', 'charging_current', 'Laadstroom', 'A', 1, ['live', 'charging']),
  signal('ChargingVoltage', 'charging_voltage', 'Laadspanning', 'V', 0, ['live', 'charging']),
  signal('BatteryCurrent', 'battery_current', 'Accustroom', 'A, positief bij ontladen', 1, ['live']),
  signal('BatteryVoltage', 'battery_voltage', 'Accuspanning', 'V', 0, ['live']),
  signal('Speed', 'speed', 'Snelheid', 'km/h', 1, ['live']),
  signal('Machinestatus', 'machinestatus', 'Machinestatus', 'code', 0, ['live', 'rail']),
  signal('Spoor', 'spoor', 'Spoor', 'code', 0, ['rail']),
  signal('Spoorstand', 'spoorstand', 'Spoorstand', 'code', 0, ['rail']),
  signal('IsCharging', 'is_charging', 'Is aan het laden', '0 of 1', 0, ['live', 'charging']),
  signal('Soc1', 'soc1', 'Laadtoestand accu 1', '%', 0, ['live', 'charging']),
  signal('Soc2', 'soc2', 'Laadtoestand accu 2', '%', 0, ['live', 'charging']),
  signal('Soc3', 'soc3', 'Laadtoestand accu 3', '%', 0, ['live', 'charging']),
  signal('Soc4', 'soc4', 'Laadtoestand accu 4', '%', 0, ['live', 'charging']),
  signal('Soc5', 'soc5', 'Laadtoestand accu 5', '%', 0, ['live', 'charging']),
  signal('Soc6', 'soc6', 'Laadtoestand accu 6', '%', 0, ['live', 'charging']),
  signal('Soc7', 'soc7', 'Laadtoestand accu 7', '%', 0, ['live', 'charging']),
  signal('Soc8', 'soc8', 'Laadtoestand accu 8', '%', 0, ['live', 'charging']),
];

const KNOWN = new Map(SIGNALS.map((known) => [known.name, known]));
export const knownSignal = (name: string): KnownSignal | undefined => KNOWN.get(name);
export const decimalsOf = (name: string): number => KNOWN.get(name)?.decimals ?? 0;

/** Finite numbers by signal name. */
export type Signals = Readonly<Record<string, number>>;

/** The signals of one stream at one instant. */
export type Reading = {
  /** ms since 1970. */
  readonly time: number;
  readonly signals: Signals;
};

/** Returns whether a signal is a state of charge: `Soc1`, `soc2`, `SOC` … (LIVE-03). A name with a dot is a kept signal. */
export const isSocSignal = (name: string): boolean => /^soc[^.]*$/i.test(name);

/** Returns whether a signal is a charging flag; a machine may have several (LIVE-03). */
export const isChargingFlag = (name: string): boolean => name.startsWith('IsCharging') && !name.includes('.');

/** Returns the battery number of a Soc* signal; 1 for a name without digits. */
export const batteryNumber = (soc: string): number => Number(/\d+/.exec(soc)?.[0] ?? 1);

/** A charging flag in any case, with at most 64 characters. */
const FLAG_NAME = /^ischarging(\w{0,54})$/i;
const SPELLINGS = new Map(SIGNALS.map(({ name }) => [name.toLowerCase(), name]));

/**
 * Returns the portal's spelling of a name that differs only in case from a signal of the catalogue or from a charging flag (`ischarging1`
 * is IsCharging1); undefined for other names, also for `Soc` and `SocDisp`, which do not say which pack they belong to.
 */
export function catalogueSpelling(name: string): string | undefined {
  const flag = FLAG_NAME.exec(name);
  return flag ? `IsCharging${flag[1]}` : SPELLINGS.get(name.toLowerCase());
}

/** Returns the signal of the catalogue for which a name stands: Soc1 for `SOC1`, IsCharging for any IsCharging flag. */
export function catalogueSignalOf(name: string): string {
  if (isSocSignal(name)) return `Soc${batteryNumber(name)}`;
  return isChargingFlag(name) ? 'IsCharging' : name;
}

/** The kind of stream whose signals are mapped. */
type MappedFor = 'machine' | 'logger';

/** Returns the signals of the catalogue that a kind of stream needs. */
export const neededSignals = (kind: MappedFor): readonly KnownSignal[] =>
  SIGNALS.filter(({ rail }) => kind !== 'machine' || !rail);

/** Returns the needed signals that are not among the mapped names (MEDIT-12). */
export function unmappedSignals(targets: readonly string[], kind: MappedFor): string[] {
  const fed = new Set(targets.map(catalogueSignalOf));
  return neededSignals(kind)
    .map(({ name }) => name)
    .filter((name) => !fed.has(name));
}
