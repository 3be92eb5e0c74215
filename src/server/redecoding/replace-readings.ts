import { databaseClock, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { PermanentFailure } from '#server/platform/job-failure.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { groupNearbyReadings, readFiguresState, repairBuckets } from '#server/telemetry/late-readings.ts';
import {
  firstMotorSpeedAt,
  markForRecomputation,
  rollupRecomputationStartMs,
} from '#server/telemetry/motor-since.ts';
import { mergeNewest, type NewestSignals } from '#server/telemetry/newest-signals.ts';
import { deleteLaterDays } from '#server/telemetry/precomputed-days.ts';
import { columnForFigures, columnValues } from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import { readEdgeReading } from '#server/telemetry/readings/read-edges.ts';
import { readStoredReadings } from '#server/telemetry/readings/stored-readings.ts';
import { lockStreamStates } from '#server/telemetry/readings.store.ts';
import type { StreamState } from '#server/telemetry/stream-change.ts';
import type { RedecodedReadingCounts } from '#shared/contract/definition.ts';
import { NEW_FIGURES_STATE } from '#shared/domain/figures.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { serializeFiguresState } from '#shared/domain/stored-track.ts';
import { withUnusedNames } from '#shared/domain/unused-names.ts';
import { MAX_POSITION_INFLUENCE_MS } from '#shared/domain/usable-positions.ts';
import { type RedecodingCounts, type RedecodingRow, storeRedecodingProgress } from './redecoding.store.ts';
import { signalsAfterRedecoding } from './replaced-signals.ts';
import { readStaged, type StagedReading } from './staged.store.ts';

/**
 * Length of the time range that one transaction replaces. With a reading per second, three definitions, and two files that overlap in
 * time, such a range has 43,000 staged readings.
 */
export const REPLACEMENT_WINDOW_MS = 2 * 3_600_000;

/** The change of one reading: the stored signals and the new ones; undefined for none. */
export type ReadingReplacement = {
  readonly time: number;
  readonly before: Signals | undefined;
  readonly after: Signals | undefined;
};

/**
 * Replaces the stored readings of the next hours by the staged ones, in one transaction with all figures and live data that depend on them.
 * Only counts the changes if `row` is a preview. Safe to repeat after a failure: replaced readings do not change again.
 * @param after a time in ms; readings up to it are replaced already
 * @returns the time up to which readings are replaced now, and `outcome` with these changes added; undefined when nothing is left
 */
export async function replaceNextReadings(
  pool: Pool,
  row: RedecodingRow,
  after: number | undefined,
  outcome: RedecodingCounts,
  now: number,
): Promise<{ done: number; outcome: RedecodingCounts } | undefined> {
  const staged = await readStaged(pool, row.streamId, after, REPLACEMENT_WINDOW_MS);
  const [first, last] = [staged[0], staged.at(-1)];
  if (!first || !last) return undefined;
  const { streamId, preview } = row;
  const range = { from: first.time, to: last.time + 1 };
  const counted = structuredClone(outcome);
  await inTransaction(pool, async (client) => {
    const state = preview
      ? undefined
      : (await lockStreamStates(shardForStream(client, streamId), [streamId])).get(streamId);
    const stored = await readStoredReadings(client, streamId, range);
    const replaced = replacements(row, staged, stored);
    for (const one of replaced) countReplacement(counted, one);
    if (state && replaced.length > 0) await storeReplacements(client, state, replaced, now);
    if (!(await storeRedecodingProgress(client, row, { state: 'running', outcome: counted })))
      throw new PermanentFailure('What was to be decoded again is gone.');
  });
  return { done: last.time, outcome: counted };
}

/** Returns the readings that change, in order of time, each with its stored and its new signals. */
function replacements(
  { definitionId }: RedecodingRow,
  staged: readonly StagedReading[],
  stored: readonly Reading[],
): ReadingReplacement[] {
  const before = new Map(stored.map(({ time, signals }) => [time, signals]));
  return [...Map.groupBy(staged, ({ time }) => time)].flatMap(([time, decoded]) => {
    const there = before.get(time);
    const files = decoded.filter((one) => one.definitionId === definitionId);
    const after = signalsAfterRedecoding(there ?? {}, decoded.map(signalsOf), files.map(signalsOf));
    return isSame(there, after) ? [] : [{ time, before: there, after }];
  });
}

const signalsOf = ({ signals }: StagedReading): Signals => signals;

function isSame(one: Signals = {}, other: Signals = {}): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === getOwnProperty(other, name))
  );
}

/** Adds a replaced reading to the outcome: to the totals and to the counts of its signals. */
export function countReplacement(
  { readings, signals }: RedecodingCounts,
  { before, after }: Pick<ReadingReplacement, 'before' | 'after'>,
): void {
  countOne(readings, before, after);
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [was, is] = [getOwnProperty(before, name), getOwnProperty(after, name)];
    if (was === is) continue;
    const counts = getOwnProperty(signals, name) ?? { added: 0, changed: 0, removed: 0 };
    countOne(counts, was, is);
    signals[name] = counts;
  }
}

function countOne(counts: RedecodedReadingCounts, was: unknown, is: unknown): void {
  if (was === undefined) counts.added += 1;
  else if (is === undefined) counts.removed += 1;
  else counts.changed += 1;
}

/**
 * Writes replacements with all figures and live data that depend on them. The caller has locked the stream's state.
 * @param keepsMeter whether the running hours of removed readings stay in the machine's hour meter (decision 60)
 * @returns the change of the running time of the stored readings, in ms
 */
export async function storeReplacements(
  client: Transaction,
  state: StreamState,
  replaced: readonly ReadingReplacement[],
  now: number,
  keepsMeter = false,
): Promise<number> {
  const { streamId } = state;
  const sums = { count: 0, runningMs: 0 };
  const motorSince = await motorAfter(client, state, replaced);
  const stored = new Map<number, Signals>();
  for (const part of groupNearbyReadings(replaced)) {
    const readings = part.flatMap(({ time, after }) => (after ? [{ time, signals: after }] : []));
    const isNew = new Set(part.filter(({ before }) => !before).map(({ time }) => time));
    const gone = part.filter(({ after }) => !after).map(({ time }) => time);
    const changed = await repairBuckets(client, { streamId, motorSince }, readings, isNew, gone);
    for (const [time, signals] of changed.stored) stored.set(time, signals);
    sums.count += changed.count;
    sums.runningMs += changed.runningMs;
  }
  const changedFrom = rollupRecomputationStartMs(state.track, motorSince);
  if (changedFrom !== undefined) await markForRecomputation(client, streamId, changedFrom);
  const newest = await newestTime(client, streamId);
  const isBack = newest === undefined || newest < (state.track.time ?? Number.NEGATIVE_INFINITY);
  if (isBack) await deleteLaterDays(client, streamId);
  const isNear = newest === undefined || (replaced.at(-1)?.time ?? 0) >= newest - MAX_POSITION_INFLUENCE_MS;
  const track =
    newest === undefined
      ? NEW_FIGURES_STATE
      : isNear
        ? await readFiguresState(client, { streamId, motorSince }, newest)
        : { ...state.track, motorSince };
  const signals = await newestSignals(client, state, replaced, stored, newest, now);
  const lastReceivedAt = newest === undefined ? '-infinity' : new Date(Math.min(newest, now));
  await shardForStream(client, streamId).query(
    `update telemetry.latest set time = $2, heard_at = case when $8 then greatest(heard_at, $3) else $3 end, signals = $4,
       track = $5, total_count = total_count + $6, total_running_ms = total_running_ms + $7::bigint,
       updated_at = $9
     where stream_id = $1`,
    [
      streamId,
      newest === undefined ? '-infinity' : new Date(newest),
      lastReceivedAt,
      JSON.stringify(signals),
      JSON.stringify(serializeFiguresState(track)),
      sums.count,
      keepsMeter ? 0 : sums.runningMs,
      !isBack,
      await databaseClock(client),
    ],
  );
  return sums.runningMs;
}

/** Returns the time (ms) of the earliest MotorSpeed that the stream has when the replacements are done. */
async function motorAfter(
  client: Transaction,
  state: StreamState,
  replaced: readonly ReadingReplacement[],
): Promise<number | undefined> {
  const { track } = state;
  const came = replaced.flatMap(({ time, after }) => (after ? [{ time, signals: after }] : []));
  const isGone = ({ time, after }: ReadingReplacement): boolean =>
    time === track.motorSince && after?.MotorSpeed === undefined;
  if (!replaced.some(isGone)) return firstMotorSpeedAt(track.motorSince, came);
  return firstMotorSpeedAt(
    await motorBesides(client, state, new Set(replaced.map(({ time }) => time))),
    came,
  );
}

/** Returns the time (ms) of the first MotorSpeed of a reading that is not replaced. */
async function motorBesides(
  client: Transaction,
  { streamId, track }: StreamState,
  replaced: ReadonlySet<number>,
): Promise<number | undefined> {
  const motor = [columnForFigures('MotorSpeed')];
  const [from, to] = [track.motorSince ?? 0, Math.max(...replaced) + 1];
  for await (const page of readColumnPages(client, streamId, [{ from, to }], motor)) {
    const speeds = columnValues(page, 0);
    const found = page.times.find((time, n) => !Number.isNaN(speeds[n]) && !replaced.has(time));
    if (found !== undefined) return found;
  }
  return (await readEdgeReading(client, { streamId, from: to, to: EVER.to }, motor, { end: 'first' }))?.time;
}

const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

async function newestTime(client: Transaction, streamId: number): Promise<number | undefined> {
  return (await readEdgeReading(client, { streamId, ...EVER }, [], { end: 'last' }))?.time;
}

/**
 * Returns the newest values for the live data after the replacement: drops values of replaced readings, and adds those of the last
 * minutes and the last position.
 */
async function newestSignals(
  client: Transaction,
  state: StreamState,
  replaced: readonly ReadingReplacement[],
  stored: ReadonlyMap<number, Signals>,
  newest: number | undefined,
  now: number,
): Promise<NewestSignals> {
  const known = Object.entries(state.signals);
  const byTime = new Map(replaced.map((one) => [one.time, one]));
  const stays = known.filter(([name, [value, since]]) => {
    const one = byTime.get(since);
    return !one || getOwnProperty(one.before, name) !== value || getOwnProperty(one.after, name) === value;
  });
  const isGone = stays.length < known.length;
  const fresh = [...stored].map(([time, signals]) => ({ time, signals }));
  const last =
    isGone && newest !== undefined
      ? await readStoredReadings(client, state.streamId, { from: newest - 2 * MAX_GAP_MS, to: newest + 1 })
      : [];
  const position = isGone ? await lastPosition(client, state.streamId) : [];
  const counting = last.map((one) => ({ ...one, signals: withUnusedNames(one.signals, one.unused) }));
  const received = [...position, ...counting, ...fresh].map((one) => ({
    ...one,
    since: Math.min(one.time, now),
  }));
  return mergeNewest(Object.fromEntries(stays), received).signals;
}

async function lastPosition(client: Transaction, streamId: number): Promise<Reading[]> {
  const last = await readEdgeReading(
    client,
    { streamId, ...EVER },
    [columnForFigures('LATITUDE'), columnForFigures('LONGITUDE')],
    {
      end: 'last',
    },
  );
  const [LATITUDE, LONGITUDE] = last?.values ?? [];
  return last && LATITUDE !== undefined && LONGITUDE !== undefined
    ? [{ time: last.time, signals: { LATITUDE, LONGITUDE } }]
    : [];
}
