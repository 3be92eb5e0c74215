/**
 * The signal catalogue: what the product knows of each signal, one line each. Lists of columns, of live, mappable and
 * charging signals, Dutch words, and the arguments of SQL functions all come from here. A reading may carry any other
 * signal too; those are kept under the name that the logger gave them.
 */

export type KnownSignal = {
  /** Its one spelling on the wire. Soc* and IsCharging* are families, and keep the logger's own spelling. */
  readonly name: string;
  /** What people call it. */
  readonly word: string;
  /** As people read it. */
  readonly unit: string;
  /** Decimals to show; a code or a flag has none. */
  readonly decimals: number;
  /** Column of `reading`. A new one needs a migration that adds it there. */
  readonly column: string;
  /** Told by GET /api/live while it is fresh; the position has a rule of its own (live-data.ts). */
  readonly live: boolean;
  /** What tells that charging started, ended or completed (charging-events.ts). */
  readonly charging: boolean;
  /** A code of work on rail: an LMB logger has it, a machine is not asked for it. */
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

/** Name to finite number. */
export type Signals = Readonly<Record<string, number>>;

/** The signals of one stream at one instant. */
export type Reading = {
  /** Milliseconds since 1970, UTC. */
  readonly time: number;
  readonly signals: Signals;
};

/** A state of charge, one per battery: `Soc1`, `soc2`, `SOC` … (LIVE-03). A name with a dot is a kept signal. */
export const isSocSignal = (name: string): boolean => /^soc[^.]*$/i.test(name);

/** A charging flag; a machine may have several (LIVE-03). */
export const isChargingFlag = (name: string): boolean => name.startsWith('IsCharging') && !name.includes('.');

/** The battery that a Soc* signal is of; one without digits is of battery 1. */
export const batteryNumber = (soc: string): number => Number(/\d+/.exec(soc)?.[0] ?? 1);

/** A flag by its whole name, however it is spelled, in the 64 characters that a name may have. */
const FLAG_NAME = /^ischarging(\w{0,54})$/i;
const SPELLINGS = new Map(SIGNALS.map(({ name }) => [name.toLowerCase(), name]));

/**
 * A name that is ours but for case, as we spell it: a signal of the catalogue, or a charging flag with whatever follows
 * (`ischarging1` is IsCharging1). A `Soc` or `SocDisp` does not say which pack it is of, and is nobody's name.
 */
export function ourSpelling(name: string): string | undefined {
  const flag = FLAG_NAME.exec(name);
  return flag ? `IsCharging${flag[1]}` : SPELLINGS.get(name.toLowerCase());
}

/** The signal of the catalogue that a name stands for: `SOC1` for Soc1, any IsCharging flag for IsCharging. */
export function meantBy(name: string): string {
  if (isSocSignal(name)) return `Soc${batteryNumber(name)}`;
  return isChargingFlag(name) ? 'IsCharging' : name;
}

/** What a signal is mapped for: a machine, or an LMB logger. */
type MappedFor = 'machine' | 'logger';

/** Signals of the catalogue that who maps one is asked for. */
export const askedSignals = (kind: MappedFor): readonly KnownSignal[] =>
  SIGNALS.filter(({ rail }) => kind !== 'machine' || !rail);

/** Those of them that none of these names feeds (MEDIT-12). */
export function unmappedSignals(targets: readonly string[], kind: MappedFor): string[] {
  const fed = new Set(targets.map(meantBy));
  return askedSignals(kind)
    .map(({ name }) => name)
    .filter((name) => !fed.has(name));
}
