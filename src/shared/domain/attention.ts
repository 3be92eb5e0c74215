/** Why a machine wants somebody to look at it, in words. */
import { averagePercent, type BatteryState, batteriesOf, LOW_BELOW_PERCENT } from './battery.ts';
import { FULL_PERCENT } from './figures.ts';
import { CHARGING_FLAG_FROM, isCharging, type SignalValues } from './machine-status.ts';
import { ageInWords, percent } from './nl.ts';
import { positionOf } from './position.ts';
import { isChargingFlag } from './signal.ts';
import { isStale, STALE_AFTER_MS } from './staleness.ts';

/** The most urgent first. */
export const ATTENTION_KINDS = ['low', 'not-charging', 'packs-differ', 'silent', 'no-position'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];
export type Attention = { readonly kind: AttentionKind; readonly words: string };

/** Points; packs of one machine that lie further apart are not charged or used alike. */
const PACKS_DIFFER_ABOVE = 10;

/** What is looked at, of an entry of the live data. */
type Looked = {
  readonly metadata: { readonly batteries: readonly { readonly capacity: number | null }[] };
  readonly liveData: SignalValues;
};

/** A position that is missing may be one that the viewer does not get to see: then that is nobody's fault. */
export type AttentionRules = { readonly seesPositions: boolean };

/**
 * The reasons, the most urgent first; none: all is well. Of a machine that is silent just that, and for how long: its
 * last values say nothing of now. A battery is not low while it is being charged.
 */
export function attentionOf(entry: Looked, nowMs: number, rules: AttentionRules): readonly Attention[] {
  const { GMT_UNIX } = entry.liveData;
  if (isStale(GMT_UNIX, nowMs)) return [{ kind: 'silent', words: silenceInWords(GMT_UNIX, nowMs) }];
  const reasons = reasonsOfNow(entry);
  return rules.seesPositions && !positionOf(entry.liveData) ? [...reasons, NO_POSITION] : reasons;
}

const NO_POSITION: Attention = { kind: 'no-position', words: 'geen positie' };

/** 'al 3 uur niets gehoord'. */
export const silenceInWords = (unixSeconds: number | undefined, nowMs: number): string =>
  unixSeconds !== undefined && unixSeconds > 0
    ? `al ${ageInWords(nowMs - unixSeconds * 1000)} niets gehoord`
    : 'nog nooit iets gehoord';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Until when, ms, the state and the reasons of a machine stay what they are now while nothing new is heard of it: until it
 * becomes silent, or until its silence is told in another number.
 */
export function attentionHoldsUntil(unixSeconds: number | undefined, nowMs: number): number {
  if (unixSeconds === undefined || !(unixSeconds > 0)) return Number.POSITIVE_INFINITY;
  const heardMs = unixSeconds * 1000;
  if (!isStale(unixSeconds, nowMs)) return heardMs + STALE_AFTER_MS;
  const age = nowMs - heardMs;
  const step = age < HOUR_MS ? MINUTE_MS : age < DAY_MS ? HOUR_MS : DAY_MS;
  return heardMs + (Math.floor(age / step) + 1) * step - 1;
}

/** Live data that did not change are the same object, and ten thousand machines are looked at every few seconds. */
const known = new WeakMap<SignalValues, { readonly of: Looked['metadata']; readonly reasons: Attention[] }>();

function reasonsOfNow({ metadata, liveData }: Looked): readonly Attention[] {
  const before = known.get(liveData);
  if (before?.of === metadata) return before.reasons;
  const batteries = batteriesOf(liveData, metadata.batteries);
  const reasons = [
    lowOf(batteries, liveData),
    notChargingOf(batteries, liveData),
    packsDifferOf(batteries),
  ].filter((reason) => reason !== undefined);
  known.set(liveData, { of: metadata, reasons });
  return reasons;
}

function lowOf(batteries: readonly BatteryState[], liveData: SignalValues): Attention | undefined {
  const mean = averagePercent(batteries);
  if (mean === undefined || isCharging(liveData)) return undefined;
  if (mean < LOW_BELOW_PERCENT) return { kind: 'low', words: `batterij laag: ${percent(mean)}` };
  const low = batteries.filter(({ percent: level }) => level !== undefined && level < LOW_BELOW_PERCENT);
  if (low.length === 0) return undefined;
  return {
    kind: 'low',
    words: low.map(({ number, percent: level }) => `accu ${number} laag: ${percent(level)}`).join(', '),
  };
}

/** On the cable by any of its flags, not full, and no current to speak of. */
function notChargingOf(batteries: readonly BatteryState[], liveData: SignalValues): Attention | undefined {
  const onCable = Object.keys(liveData).some(
    (name) => isChargingFlag(name) && (liveData[name] ?? 0) >= CHARGING_FLAG_FROM,
  );
  const mean = averagePercent(batteries);
  if (!onCable || isCharging(liveData) || mean === undefined || mean >= FULL_PERCENT) return undefined;
  return { kind: 'not-charging', words: 'aan de kabel, maar laadt niet' };
}

function packsDifferOf(batteries: readonly BatteryState[]): Attention | undefined {
  const levels = batteries.flatMap(({ percent: level }) => level ?? []);
  const apart = Math.max(...levels) - Math.min(...levels);
  return levels.length > 1 && apart > PACKS_DIFFER_ABOVE
    ? { kind: 'packs-differ', words: `accu's verschillen ${Math.round(apart)} punten` }
    : undefined;
}
