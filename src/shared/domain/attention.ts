/** The reasons why a machine needs attention, with their Dutch texts. */
import { averagePercent, type BatteryState, batteriesOf, LOW_BELOW_PERCENT } from './battery.ts';
import { type FaultCode, faultCodeText, type Lamp } from './fault-codes.ts';
import { FULL_PERCENT } from './figures.ts';
import { isCharging, isTakingCurrent, MIN_CHARGING_FLAG, type SignalValues } from './machine-status.ts';
import { ageText, formatPercent, NEVER_SEEN_LABEL } from './nl.ts';
import { positionOf } from './position.ts';
import { isChargingFlag } from './signal.ts';
import { isStale, STALE_AFTER_MS } from './staleness.ts';

/** Kinds of reasons, the most urgent first. A reason that is also an alert has the name of the alert's kind (alerts/kinds.ts). */
export const ATTENTION_KINDS = [
  'moved',
  'fault',
  'low',
  'not-full',
  'runs-short',
  'not-charging',
  'speeding',
  'pack-silent',
  'packs-apart',
  'contradiction',
  'silent',
  'logs-empty',
  'maintenance',
  'no-position',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];
export type Attention = { readonly kind: AttentionKind; readonly words: string };

/** A larger difference between the packs of one machine means that they are not charged or used alike. */
const PACKS_DIFFER_ABOVE_POINTS = 10;

/** The last values of a machine, and the reasons that `batteryReasons` found in them. */
type Evaluated = { readonly liveData: SignalValues; readonly reasons: readonly Attention[] };

/** A missing position is no reason for attention for a viewer who may not see positions. */
export type AttentionRules = { readonly seesPositions: boolean };

/**
 * Returns the reasons, the most urgent first; empty: the machine needs no attention. A silent machine has only the reason 'silent',
 * because its last values say nothing about now.
 */
export function attentionOf(
  { liveData, reasons }: Evaluated,
  nowMs: number,
  rules: AttentionRules,
): readonly Attention[] {
  const { GMT_UNIX } = liveData;
  if (isStale(GMT_UNIX, nowMs)) return [{ kind: 'silent', words: silenceText(GMT_UNIX, nowMs) }];
  return rules.seesPositions && !positionOf(liveData) ? [...reasons, NO_POSITION] : reasons;
}

/** Returns the reasons with `reason` added, the most urgent first. */
export const addAttentionReason = (reasons: readonly Attention[], reason: Attention): readonly Attention[] =>
  [...reasons, reason].sort(
    (one, other) => ATTENTION_KINDS.indexOf(one.kind) - ATTENTION_KINDS.indexOf(other.kind),
  );

/** The active fault codes of a machine: their number, and the most severe one. */
export type ActiveFaults = FaultCode & { readonly lamp: Lamp | null; readonly count: number };

/** Returns the reason of active faults, such as 'stoplamp: storing SPN 100, FMI 1'. */
export function faultReason({ count, lamp, ...code }: ActiveFaults): Attention {
  const what =
    count === 1 ? `storing ${faultCodeText(code)}` : `${count} storingen, met ${faultCodeText(code)}`;
  return { kind: 'fault', words: lamp === 'stop' ? `stoplamp: ${what}` : what };
}

/** Number of consecutive log files without a reading from which a logger needs attention. */
export const MIN_EMPTY_LOGS = 10;

/** Returns 'laatste 10 logbestanden zonder metingen'. */
export const emptyLogsText = (count: number): string => `laatste ${count} logbestanden zonder metingen`;

const NO_POSITION: Attention = { kind: 'no-position', words: 'geen positie' };

/** Returns 'al 3 uur niets gehoord', or 'nog nooit gezien' for a machine that has never reported. */
export const silenceText = (unixSeconds: number | undefined, nowMs: number): string =>
  unixSeconds !== undefined && unixSeconds > 0
    ? `al ${ageText(nowMs - unixSeconds * 1000)} niets gehoord`
    : NEVER_SEEN_LABEL.toLowerCase();

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Returns until when, ms, the state and the reasons of a machine stay the same while no new reading is received: until it becomes silent,
 * or until the number in the text of its silence changes.
 */
export function attentionHoldsUntil(unixSeconds: number | undefined, nowMs: number): number {
  if (unixSeconds === undefined || !(unixSeconds > 0)) return Number.POSITIVE_INFINITY;
  const lastSeenMs = unixSeconds * 1000;
  if (!isStale(unixSeconds, nowMs)) return lastSeenMs + STALE_AFTER_MS;
  const age = nowMs - lastSeenMs;
  const step = age < HOUR_MS ? MINUTE_MS : age < DAY_MS ? HOUR_MS : DAY_MS;
  return lastSeenMs + (Math.floor(age / step) + 1) * step - 1;
}

const NONE: readonly Attention[] = [];

/** Returns the reasons that follow from the last values of the batteries, however old these values are. A charging battery is not low. */
export function batteryReasons(
  liveData: SignalValues,
  listed: readonly { readonly capacity: number | null }[],
): readonly Attention[] {
  const batteries = batteriesOf(liveData, listed);
  const mean = averagePercent(batteries);
  const reasons: Attention[] = [];
  if (mean !== undefined && !isCharging(liveData)) {
    const low = lowOf(batteries, mean);
    if (low) reasons.push(low);
    if (mean < FULL_PERCENT && isOnCable(liveData) && !isTakingCurrent(liveData)) reasons.push(NOT_CHARGING);
  }
  const apart = packsDifferOf(batteries);
  if (apart) reasons.push(apart);
  return reasons.length === 0 ? NONE : reasons;
}

function lowOf(batteries: readonly BatteryState[], mean: number): Attention | undefined {
  if (mean < LOW_BELOW_PERCENT) return { kind: 'low', words: `batterij laag: ${formatPercent(mean)}` };
  const isLow = ({ percent: level }: BatteryState): boolean =>
    level !== undefined && level < LOW_BELOW_PERCENT;
  if (!batteries.some(isLow)) return undefined;
  const words = batteries
    .filter(isLow)
    .map(({ number, percent: level }) => `accu ${number} laag: ${formatPercent(level)}`);
  return { kind: 'low', words: words.join(', ') };
}

const isOnCable = (liveData: SignalValues): boolean =>
  Object.keys(liveData).some((name) => (liveData[name] ?? 0) >= MIN_CHARGING_FLAG && isChargingFlag(name));
const NOT_CHARGING: Attention = { kind: 'not-charging', words: 'aan de kabel, maar laadt niet' };

function packsDifferOf(batteries: readonly BatteryState[]): Attention | undefined {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { percent: level } of batteries) {
    if (level === undefined) continue;
    lowest = Math.min(lowest, level);
    highest = Math.max(highest, level);
  }
  const apart = highest - lowest;
  return apart > PACKS_DIFFER_ABOVE_POINTS
    ? { kind: 'packs-apart', words: `accu's verschillen ${Math.round(apart)} punten` }
    : undefined;
}
