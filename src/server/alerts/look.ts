import type { Database } from '#server/platform/database.ts';
import { readAfter } from '#server/telemetry/read-readings.ts';
import {
  type Episode,
  isOfAlerts,
  openEpisodes,
  type WatchedMachine,
  type WatchState,
  watch,
} from '#shared/domain/alerts/watch.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type Cursor, type Looked, REREAD_EVERY_MS } from './cursors.store.ts';

/** ms; so long a reading waits for one that was measured before it and is still on its way. */
const SETTLE_MS = 30_000;
/** ms; what lies further before the newest reading when a logger is heard again is history. */
const LONGEST_MS = 24 * 3_600_000;
/** ms; a state to judge anew from is this old at least, and twice this at most. */
const BASE_MS = 24 * 3_600_000;

export type Look = {
  readonly looked: Looked;
  /** All that were open after `from`, in order of time. */
  readonly episodes: readonly Episode[];
  readonly from: number;
  /** Up to where it was looked at before: what began earlier came late. */
  readonly before: number;
};

/** Returns the time from which on a look may read anything, ms. */
export const readFrom = (cursors: readonly Cursor[]): number =>
  Math.min(
    ...cursors.map(({ time, newestTime, oldest }) =>
      Math.min(Math.max(time, newestTime - LONGEST_MS), oldest?.time ?? newestTime - LONGEST_MS),
    ),
  );

/** What the readings since the last look say; where some came late, those of the day before as well. */
export async function lookAt(
  db: Database,
  cursors: readonly Cursor[],
  machines: ReadonlyMap<number, WatchedMachine>,
  now: number,
): Promise<Look[]> {
  const since = new Map(
    cursors.map(({ streamId, time, newestTime }) => [streamId, Math.max(time, newestTime - LONGEST_MS)]),
  );
  const readings = await readAfter(
    db,
    [...since].map(([streamId, time]) => ({ streamId, time })),
    isOfAlerts,
  );
  const looks: Look[] = [];
  for (const cursor of cursors) {
    const { streamId, rereadAt } = cursor;
    const machine = machines.get(streamId);
    if (!machine) continue;
    const fresh = readings.get(streamId) ?? [];
    const isWhole = since.get(streamId) === cursor.time;
    const late = cursor.late || (isWhole && isLate(cursor, fresh.length));
    const sinceReread = now - rereadAt;
    // One that is still to come was by a clock that was wrong.
    const mayReread = sinceReread >= REREAD_EVERY_MS || sinceReread < 0;
    looks.push(
      late && mayReread
        ? await reread(db, cursor, machine, now)
        : goThrough(cursor, cursor.state, cursor.time, fresh, machine, now, { late, rereadAt }),
    );
  }
  return looks;
}

/** By the number of stored readings; one that gained signals counts too. */
function isLate({ count, unsettled, storedCount, moved }: Cursor, fresh: number): boolean {
  const gainedSignals = moved && storedCount === count + unsettled;
  return gainedSignals || storedCount !== count + fresh;
}

async function reread(db: Database, cursor: Cursor, machine: WatchedMachine, now: number): Promise<Look> {
  const { streamId, oldest, beginTime, time, newestTime } = cursor;
  const known = Number.isFinite(time) ? time : newestTime;
  const from = oldest?.time ?? Math.max(beginTime, known - LONGEST_MS);
  const readings = (await readAfter(db, [{ streamId, time: from }], isOfAlerts)).get(streamId) ?? [];
  return goThrough(cursor, oldest, from, readings, machine, now, { late: false, rereadAt: now });
}

function goThrough(
  cursor: Cursor,
  start: WatchState | null,
  from: number,
  readings: readonly Reading[],
  machine: WatchedMachine,
  now: number,
  late: Pick<Looked, 'late' | 'rereadAt'>,
): Look {
  const { streamId, storedCount, time: before } = cursor;
  const isSettled = ({ time }: Reading) => time <= now - SETTLE_MS;
  const settled = readings.filter(isSettled);
  const unsettled = readings.length - settled.length;
  let { older, oldest } = cursor;
  const olderTime = older?.time;
  const episodes: Episode[] = [];
  let state = start;
  for (const reading of settled) {
    // Judged anew, it is what late readings made of it.
    if (state && olderTime !== undefined && state.time <= olderTime && reading.time > olderTime)
      older = state;
    const next = watch(state ?? undefined, reading, machine);
    state = next.state;
    episodes.push(...next.ended);
    older ??= state;
    if (state.time - older.time >= BASE_MS) {
      oldest = older;
      older = state;
    }
  }
  if (state) episodes.push(...openEpisodes(state));
  return {
    looked: {
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
