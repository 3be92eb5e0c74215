import type { Database } from '#server/platform/database.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import { EVALUATIONS } from '#shared/domain/alerts/evaluations.ts';
import type { RuleSettings } from '#shared/domain/alerts/kinds/kind.ts';
import type { ReadingAlertKind } from '#shared/domain/alerts/kinds.ts';
import {
  type Episode,
  evaluateReading,
  isPendingOrFiring,
  isResolving,
  ongoingEpisodes,
  type WatchedMachine,
  type WatchedRule,
  type WatchState,
} from '#shared/domain/alerts/watch.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { readingsIn } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { CandidateRange } from './candidate-range.ts';

/** Maximum number of ranges that one statement reads ahead. */
const MAX_RANGES_READ_AHEAD = 60;
/** Maximum number of times that the length of history to read next doubles while the ranges have no readings. */
const MAX_STEP_DOUBLINGS = 8;

export type PreviewedMachine = Omit<WatchedMachine, 'rules'> & {
  readonly streamId: number;
  readonly rule: WatchedRule;
};

/**
 * Finds the episodes of one rule in the history of a machine, in order of time. Reads only around the times at which the condition
 * may begin or end, and skips the history in between.
 * @param candidates ranges in order of time
 * @param until time in ms; an episode that is open then has no end
 * @param mayContinue whether there is time for more; if not, the result is incomplete
 */
export async function findPastEpisodes(
  db: Database,
  { streamId, rule, ...machine }: PreviewedMachine,
  candidates: readonly CandidateRange[],
  until: number,
  mayContinue: (found: number) => boolean,
): Promise<{ readonly found: readonly Episode[]; readonly isWhole: boolean }> {
  const found: Episode[] = [];
  const watched = { ...machine, rules: [rule] };
  const history = openHistory(db, streamId, rule.kind, aheadOf(candidates, rule.settings), until);
  let state: WatchState | undefined;
  let readTo = Number.NEGATIVE_INFINITY;
  let empty = 0;

  async function read(range: Range): Promise<void> {
    const readings = await history.read(range);
    for (const reading of readings) {
      const next = evaluateReading(state, reading, watched);
      state = next.state;
      found.push(...next.ended);
    }
    empty = readings.length > 0 ? 0 : empty + 1;
    readTo = range.to;
  }

  const begins = inOrder(candidates.filter(({ mayBegin }) => mayBegin));
  const ends = inOrder(candidates.filter(({ mayEnd }) => mayEnd));
  /** Returns how much history to read next, in ms: twice as much after each range without readings. */
  const step = (): number => BUCKET_MS * 2 ** Math.min(empty, MAX_STEP_DOUBLINGS);
  const last = Math.min(until, candidates.at(-1)?.to ?? Number.NEGATIVE_INFINITY);
  while (readTo < last) {
    if (!mayContinue(found.length)) return { found, isWhole: false };
    if (!state || !isPendingOrFiring(state)) {
      const next = begins.after(readTo);
      if (!next) break;
      const start = Math.max(next.from, bucketStart(readTo));
      const from = next.before || next.keepsState ? start : start - BUCKET_MS;
      if (from > readTo) {
        if (!next.keepsState) state = undefined;
        for (const before of next.before ?? []) if (before.to <= from) await read(before);
      }
      await read({ from: Math.max(from, readTo), to: start + BUCKET_MS });
    } else if (ongoingEpisodes(state).length > 0 && !isResolving(state)) {
      const next = ends.after(readTo);
      if (!next) break;
      const start = Math.max(next.from, bucketStart(readTo));
      await read({ from: Math.max(start - BUCKET_MS, readTo), to: start + step() });
    } else await read({ from: readTo, to: readTo + step() });
  }
  return { found: [...found, ...(state ? ongoingEpisodes(state) : [])], isWhole: true };
}

/** Returns an object whose `after` returns the first range that ends after a time. The times must be passed in ascending order. */
function inOrder(candidates: readonly CandidateRange[]) {
  let at = 0;
  return {
    after(time: number): CandidateRange | undefined {
      while (at < candidates.length && (candidates[at] as CandidateRange).to <= time) at += 1;
      return candidates[at];
    },
  };
}

const MINUTE_MS = 60_000;

/**
 * Returns the ranges that will probably be read, if each condition begins at the first candidate that may begin it and ends at the first
 * that may end it.
 */
function aheadOf(candidates: readonly CandidateRange[], { hold = 0, clearHold = 0 }: RuleSettings): Range[] {
  const after = (minutes: number): number =>
    BUCKET_MS + Math.ceil((minutes * MINUTE_MS) / BUCKET_MS) * BUCKET_MS;
  const ranges: Range[] = [];
  const mayEnd = inOrder(candidates.filter((candidate) => candidate.mayEnd));
  let to = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    if (!candidate.mayBegin || candidate.to <= to) continue;
    const from = Math.max(candidate.from, to);
    ranges.push(...(candidate.before ?? []), { from: from - BUCKET_MS, to: from + after(hold) });
    to = from + after(hold);
    const end = mayEnd.after(to);
    if (!end) continue;
    const ends = Math.max(end.from, to);
    ranges.push({ from: ends - BUCKET_MS, to: ends + after(clearHold) });
    to = ends + after(clearHold);
  }
  return ranges;
}

/** Opens a history that reads the expected ranges ahead, and other ranges on demand. */
function openHistory(
  db: Database,
  streamId: number,
  kind: ReadingAlertKind,
  ahead: readonly Range[],
  until: number,
) {
  const readAll = async (ranges: readonly Range[]): Promise<Reading[]> => {
    const asked = ranges.map((range) => ({ streamId, ...range }));
    return (await readReadingsInRanges(db, asked, EVALUATIONS[kind].signals)).flat();
  };
  let next = 0;
  let known: readonly Range[] = [];
  let readings: readonly Reading[] = [];
  const isKnown = ({ from, to }: Range) => known.some((range) => range.from <= from && to <= range.to);
  return {
    async read(asked: Range): Promise<readonly Reading[]> {
      const range = { from: asked.from, to: Math.min(asked.to, until) };
      while (!isKnown(range) && next < ahead.length && (ahead[next]?.from ?? 0) <= range.from) {
        known = merged(ahead.slice(next, next + MAX_RANGES_READ_AHEAD));
        next += MAX_RANGES_READ_AHEAD;
        readings = await readAll(known);
      }
      if (!isKnown(range)) return readAll([range]);
      return readingsIn(readings, range);
    },
  };
}

function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && range.from <= last.to)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else all.push(range);
  }
  return all;
}
