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
  /** Column of `reading`. A new one needs a migration that adds it there, and as tail_* to `latest` for the tail. */
  readonly column: string;
  /** Told by GET /api/live while it is fresh; the position has a rule of its own (live-data.ts). */
  readonly live: boolean;
  /** What an interval carries of its earlier reading (intervals.ts): `latest` keeps it of the newest one. */
  readonly tail: boolean;
  /** What tells that charging started, ended or completed (charging-events.ts). */
  readonly charging: boolean;
};

const signal = (
  name: string,
  column: string,
  word: string,
  unit: string,
  decimals: number,
  uses: readonly ('live' | 'tail' | 'charging')[] = [],
): KnownSignal => ({
  name,
  column,
  word,
  unit,
  decimals,
  live: uses.includes('live'),
  tail: uses.includes('tail'),
  charging: uses.includes('charging'),
});

/** In the order of the mapping screen and of the database's columns. */
export const SIGNALS: readonly KnownSignal[] = [
  signal('LATITUDE', 'latitude', 'Breedtegraad', 'graden', 6, ['tail']), // WGS 84
  signal('LONGITUDE', 'longitude', 'Lengtegraad', 'graden', 6, ['tail']),
  signal('MotorSpeed', 'motor_speed', 'Motortoerental', 'rpm', 0, ['live', 'tail']),
  signal('ChargingCurrent', 'charging_current', 'Laadstroom', 'A', 1, ['live', 'tail', 'charging']),
  signal('ChargingVoltage', 'charging_voltage', 'Laadspanning', 'V', 0, ['live', 'tail', 'charging']),
  signal('BatteryCurrent', 'battery_current', 'Accustroom', 'A, positief bij ontladen', 1, ['live', 'tail']),
  signal('BatteryVoltage', 'battery_voltage', 'Accuspanning', 'V', 0, ['live', 'tail']),
  signal('Speed', 'speed', 'Snelheid', 'km/h', 1, ['live']),
  signal('Machinestatus', 'machinestatus', 'Machinestatus', 'code', 0),
  signal('Spoor', 'spoor', 'Spoor', 'code', 0),
  signal('Spoorstand', 'spoorstand', 'Spoorstand', 'code', 0),
  // The column holds the largest of the reading's flags.
  signal('IsCharging', 'is_charging', 'Is aan het laden', '0 of 1', 0, ['live', 'tail', 'charging']),
  signal('Soc1', 'soc1', 'Laadtoestand accu 1', '%', 0, ['live', 'charging']),
  signal('Soc2', 'soc2', 'Laadtoestand accu 2', '%', 0, ['live', 'charging']),
  signal('Soc3', 'soc3', 'Laadtoestand accu 3', '%', 0, ['live', 'charging']),
  signal('Soc4', 'soc4', 'Laadtoestand accu 4', '%', 0, ['live', 'charging']),
];

const KNOWN = new Map(SIGNALS.map((known) => [known.name, known]));
export const knownSignal = (name: string): KnownSignal | undefined => KNOWN.get(name);

/** Name to finite number. */
export type Signals = Readonly<Record<string, number>>;

/** The signals of one stream at one instant. */
export type Reading = {
  /** Milliseconds since 1970, UTC. */
  readonly time: number;
  readonly signals: Signals;
};

/** A state of charge, one per battery: `Soc1`, `soc2`, `SOC` … (LIVE-03). */
export const isSocSignal = (name: string): boolean => /^soc/i.test(name);

/** A charging flag; a machine may have several (LIVE-03). */
export const isChargingFlag = (name: string): boolean => name.startsWith('IsCharging');

/** The battery that a Soc* signal is of; one without digits is of battery 1. */
export const batteryNumber = (soc: string): number => Number(/\d+/.exec(soc)?.[0] ?? 1);

/** The signal of the catalogue that a name stands for: `SOC1` for Soc1, any IsCharging flag for IsCharging. */
export function meantBy(name: string): string {
  if (isSocSignal(name)) return `Soc${batteryNumber(name)}`;
  return isChargingFlag(name) ? 'IsCharging' : name;
}

/** Signals of the catalogue that none of these names feeds, for who maps them (MEDIT-12). */
export function unmappedSignals(targets: readonly string[]): string[] {
  const fed = new Set(targets.map(meantBy));
  return SIGNALS.map(({ name }) => name).filter((name) => !fed.has(name));
}
