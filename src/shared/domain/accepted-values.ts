import { isSocSignal } from './signal.ts';

/** Lowest and highest value that can be. */
export type Limits = readonly [lowest: number, highest: number];

const LIMITS: ReadonlyMap<string, Limits> = new Map([
  ['MotorSpeed', [-30_000, 30_000]],
  ['BatteryCurrent', [-3_000, 3_000]],
  ['ChargingCurrent', [-3_000, 3_000]],
  ['BatteryVoltage', [0, 2_000]],
  ['ChargingVoltage', [0, 2_000]],
  ['Speed', [-400, 400]],
]);
/** A pack that is full may say 100.2; a J1939 unit without a value says 101.6, 102 or 127.5. */
const SOC: Limits = [-1, 101];
/** No such quantity of a machine is larger, in our units. */
const OTHERS: Limits = [-1e6, 1e6];
/** Nothing measures finer: less than this is 0. */
const FINEST = 1e-9;

/** What a signal's values must lie between (docs/figures.md section 1); a name with a dot is a kept signal. */
export const limitsOf = (name: string): Limits =>
  LIMITS.get(name) ?? (isSocSignal(name) && !name.includes('.') ? SOC : OTHERS);

/** A value as it is stored; undefined where it cannot be, and counts as not sent. */
export function acceptedValue(value: number, [lowest, highest]: Limits): number | undefined {
  const measured = Math.abs(value) < FINEST ? 0 : value;
  // NaN fails both comparisons.
  return measured >= lowest && measured <= highest ? measured : undefined;
}
