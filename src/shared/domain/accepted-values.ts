import { isSocSignal } from './signal.ts';

/** The range of the values that a signal can have. */
export type ValueLimits = readonly [lowest: number, highest: number];

const LIMITS: ReadonlyMap<string, ValueLimits> = new Map([
  ['MotorSpeed', [-30_000, 30_000]],
  ['BatteryCurrent', [-3_000, 3_000]],
  ['ChargingCurrent', [-3_000, 3_000]],
  ['BatteryVoltage', [0, 2_000]],
  ['ChargingVoltage', [0, 2_000]],
  ['Speed', [-400, 400]],
]);
/** Limits of a charge level, %. A full pack may report 100.2; a J1939 ECU without a value reports 101.6, 102 or 127.5. */
const SOC: ValueLimits = [-1, 101];
/** Limits of all other signals: no quantity of a machine is larger in the portal's units. */
const OTHERS: ValueLimits = [-1e6, 1e6];
/** No sensor measures finer: a smaller absolute value is stored as 0. */
const FINEST = 1e-9;

/** Returns the limits of a signal's values (docs/figures.md section 1); a name with a dot is a kept signal. */
export const valueLimitsOf = (name: string): ValueLimits =>
  LIMITS.get(name) ?? (isSocSignal(name) && !name.includes('.') ? SOC : OTHERS);

/** Returns the value to store; undefined for a value outside the limits, which counts as not sent. */
export function acceptedValue(value: number, [lowest, highest]: ValueLimits): number | undefined {
  const measured = Math.abs(value) < FINEST ? 0 : value;
  // NaN fails both comparisons.
  return measured >= lowest && measured <= highest ? measured : undefined;
}
