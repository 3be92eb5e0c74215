import { neededReadingRange, ownedSegmentsOf } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import { findIntervals, type SignalInterval } from '#shared/domain/figures.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { packNumberOf, preferredNameByPack } from '#shared/domain/packs.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { readSessions } from './stored-sessions.ts';

type Point = { readonly percent: number; readonly kW: number };

/** Time span of the readings that are in memory at once. */
const PART_MS = 3_600_000;
/** No battery takes longer than this to become full; the curve leaves out the rest of a longer session. */
const MAX_CURVE_MS = 48 * PART_MS;

/**
 * Returns the charging power of a session by mean state of charge of the packs: energy per whole percent divided by the time for
 * that percent.
 * @param start beginning of the session, ms; the result is empty if none of the caller's sessions began then
 */
export async function chargeCurve(
  db: Database,
  { streamId, own }: OwnHistory,
  start: number,
): Promise<{ points: Point[] }> {
  const [session] = await readSessions(
    db,
    streamId,
    ownedSegmentsOf({ from: start, to: start + 1 }, own),
    1,
    start,
  );
  const owned = own.find(({ from, to }) => from <= start && start < to);
  if (!session || !owned) return { points: [] };
  const sums = new Map<number, { mj: number; ms: number }>();
  const end = Math.min(session.to, session.from + MAX_CURVE_MS);
  for (let from = session.from; from < end; from += PART_MS) {
    const part = { from, to: Math.min(from + PART_MS, end) };
    const [readings = []] = await readReadingsInRanges(db, [
      { streamId, ...neededReadingRange(part, owned) },
    ]);
    addPart(sums, readings, part);
  }
  const points = [...sums].map(([percent, { mj, ms }]) => ({ percent, kW: mj / ms / 1000 }));
  return { points: points.sort((a, b) => a.percent - b.percent) };
}

/** Adds the energy charged during a part of the session, by whole percent. */
function addPart(
  sums: Map<number, { mj: number; ms: number }>,
  readings: readonly Reading[],
  part: Range,
): void {
  const levels = levelsOf(readings);
  for (const interval of findIntervals(readings).intervals) {
    const watts = wattsIn(interval);
    const level = levels.get(interval.from);
    const ms = Math.min(interval.to, part.to) - Math.max(interval.from, part.from);
    if (watts === undefined || level === undefined || ms <= 0) continue;
    const percent = Math.floor(level);
    const sum = sums.get(percent) ?? { mj: 0, ms: 0 };
    sums.set(percent, { mj: sum.mj + watts * ms, ms: sum.ms + ms });
  }
}

/** Returns the charging power in an interval in W; undefined when it is unknown. */
function wattsIn(interval: SignalInterval): number | undefined {
  if (interval.of === 'battery')
    return interval.cable === 'charging' && interval.watts < 0 ? -interval.watts : undefined;
  return interval.of === 'charger' && interval.charges ? interval.watts : undefined;
}

/** Returns the mean state of charge of the packs by the time of the reading; a value is valid for MAX_GAP_MS. */
function levelsOf(readings: readonly Reading[]): Map<number, number> {
  const last = new Map<string, { readonly percent: number; readonly time: number }>();
  const levels = new Map<number, number>();
  for (const { time, signals } of readings) {
    for (const name in signals)
      if (packNumberOf(name) !== undefined) last.set(name, { percent: signals[name] as number, time });
    const fresh = [...last].filter(([, known]) => time - known.time <= MAX_GAP_MS).map(([name]) => name);
    const percents = [...preferredNameByPack(fresh).values()].map((name) => last.get(name)?.percent ?? 0);
    if (percents.length > 0) levels.set(time, percents.reduce((a, b) => a + b) / percents.length);
  }
  return levels;
}
