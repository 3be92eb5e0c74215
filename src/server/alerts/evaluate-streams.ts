import type { Database } from '#server/platform/database.ts';
import { readReadingsAfter } from '#server/telemetry/readings/read-readings.ts';
import {
  type Episode,
  evaluateReading,
  isAlertSignal,
  ongoingEpisodes,
  type WatchedMachine,
  type WatchState,
} from '#shared/domain/alerts/watch.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type EvaluatedCursor, type EvaluationCursor, REEVALUATION_INTERVAL_MS } from './cursors.store.ts';

/** Minimum age of a reading when it is evaluated: earlier readings may arrive until then. */
const SETTLE_MS = 30_000;
/** After a logger was offline, readings that are this much older than its newest one are not evaluated. */
const MAX_EVALUATED_AGE_MS = 24 * 3_600_000;
/** Late readings are re-evaluated from a saved state whose age is one to two times this. */
const BASE_MS = 24 * 3_600_000;

export type StreamEvaluation = {
  readonly cursor: EvaluatedCursor;
  /** All episodes that were open at some time after `from`, in order of time. */
  readonly episodes: readonly Episode[];
  readonly from: number;
  /** Time up to which readings were evaluated before; an episode that began earlier was found in late readings. */
  readonly before: number;
};

/** Returns the earliest time that an evaluation may read, in ms. */
export const earliestReadTime = (cursors: readonly EvaluationCursor[]): number =>
  Math.min(
    ...cursors.map(({ time, newestTime, oldest }) =>
      Math.min(
        Math.max(time, newestTime - MAX_EVALUATED_AGE_MS),
        oldest?.time ?? newestTime - MAX_EVALUATED_AGE_MS,
      ),
    ),
  );

/** Evaluates the readings since the last evaluation; if late readings have arrived, evaluates again from a state of a day or two ago. */
export async function evaluateStreams(
  db: Database,
  cursors: readonly EvaluationCursor[],
  machines: ReadonlyMap<number, WatchedMachine>,
  now: number,
): Promise<StreamEvaluation[]> {
  const since = new Map(
    cursors.map(({ streamId, time, newestTime }) => [
      streamId,
      Math.max(time, newestTime - MAX_EVALUATED_AGE_MS),
    ]),
  );
  const readings = await readReadingsAfter(
    db,
    [...since].map(([streamId, time]) => ({ streamId, time })),
    isAlertSignal,
  );
  const evaluations: StreamEvaluation[] = [];
  for (const cursor of cursors) {
    const { streamId, rereadAt } = cursor;
    const machine = machines.get(streamId);
    if (!machine) continue;
    const fresh = readings.get(streamId) ?? [];
    const isWhole = since.get(streamId) === cursor.time;
    const late = cursor.late || (isWhole && isLate(cursor, fresh.length));
    const sinceReread = now - rereadAt;
    // A negative time means that the clock was wrong when `rereadAt` was stored.
    const mayReread = sinceReread >= REEVALUATION_INTERVAL_MS || sinceReread < 0;
    evaluations.push(
      late && mayReread
        ? await reevaluate(db, cursor, machine, now)
        : evaluateInOrder(cursor, cursor.state, cursor.time, fresh, machine, now, { late, rereadAt }),
    );
  }
  return evaluations;
}

/** Returns whether readings arrived late, by the number of stored readings. A stored reading to which signals were added counts too. */
function isLate({ count, unsettled, storedCount, moved }: EvaluationCursor, fresh: number): boolean {
  const gainedSignals = moved && storedCount === count + unsettled;
  return gainedSignals || storedCount !== count + fresh;
}

async function reevaluate(
  db: Database,
  cursor: EvaluationCursor,
  machine: WatchedMachine,
  now: number,
): Promise<StreamEvaluation> {
  const { streamId, oldest, beginTime, time, newestTime } = cursor;
  const known = Number.isFinite(time) ? time : newestTime;
  const from = oldest?.time ?? Math.max(beginTime, known - MAX_EVALUATED_AGE_MS);
  const readings =
    (await readReadingsAfter(db, [{ streamId, time: from }], isAlertSignal)).get(streamId) ?? [];
  return evaluateInOrder(cursor, oldest, from, readings, machine, now, { late: false, rereadAt: now });
}

function evaluateInOrder(
  cursor: EvaluationCursor,
  start: WatchState | null,
  from: number,
  readings: readonly Reading[],
  machine: WatchedMachine,
  now: number,
  late: Pick<EvaluatedCursor, 'late' | 'rereadAt'>,
): StreamEvaluation {
  const { streamId, storedCount, time: before } = cursor;
  const isSettled = ({ time }: Reading) => time <= now - SETTLE_MS;
  const settled = readings.filter(isSettled);
  const unsettled = readings.length - settled.length;
  let { older, oldest } = cursor;
  const olderTime = older?.time;
  const episodes: Episode[] = [];
  let state = start;
  for (const reading of settled) {
    // Replaces the saved state, so that after a re-evaluation it includes the late readings.
    if (state && olderTime !== undefined && state.time <= olderTime && reading.time > olderTime)
      older = state;
    const next = evaluateReading(state ?? undefined, reading, machine);
    state = next.state;
    episodes.push(...next.ended);
    older ??= state;
    if (state.time - older.time >= BASE_MS) {
      oldest = older;
      older = state;
    }
  }
  if (state) episodes.push(...ongoingEpisodes(state));
  return {
    cursor: {
      streamId,
      time: state?.time ?? before,
      state,
      older: older === cursor.older ? null : older,
      oldest: oldest === cursor.oldest ? null : oldest,
      count: storedCount - unsettled,
      unsettled,
      ...late,
    },
    episodes: episodes.sort((a, b) => a.at - b.at),
    from,
    before,
  };
}
