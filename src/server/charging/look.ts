import type { Database } from '#server/platform/database.ts';
import { lastReadingAt, readAfter } from '#server/telemetry/readings-after.store.ts';
import { advance, type ChargingEvent, type ChargingState, isAwake } from '#shared/domain/charging-events.ts';
import { RECENT_MS } from '#shared/domain/charging-mail-rules.ts';
import { SIGNAL_DROPS_AFTER_MS } from '#shared/domain/live-data.ts';
import { isChargingFlag, isSocSignal, knownSignal, type Reading } from '#shared/domain/signal.ts';
import { type Cursor, type Looked, REREAD_EVERY_MS } from './cursors.store.ts';

/** ms; so long a reading waits for one that was measured before it and is still on its way. */
const SETTLE_MS = 30_000;

export type Look = { readonly looked: Looked; readonly events: readonly ChargingEvent[] };

/**
 * What the readings since the last look say. Readings that came late, for a time that was looked at before (told by
 * the number of stored readings), have the past RECENT_MS read again from scratch: which of its events are known
 * already is for the caller to see.
 */
export async function lookAt(db: Database, cursors: readonly Cursor[], nowMs: number): Promise<Look[]> {
  const forward = cursors.filter((cursor) => canGoOn(cursor, nowMs));
  const readings = await readAfter(db, forward, isOfCharging);
  const listed = await listedPacks(
    db,
    cursors.map(({ streamId }) => streamId),
  );
  const looks: Look[] = [];
  for (const cursor of cursors) {
    const fresh = readings.get(cursor.streamId);
    const packs = listed.get(cursor.streamId) ?? 0;
    const late = cursor.late || isLate(cursor, fresh?.length ?? 0);
    const sinceReread = nowMs - cursor.rereadAt;
    // One that is still to come was by a clock that was wrong.
    const mayReread = sinceReread >= REREAD_EVERY_MS || sinceReread < 0;
    if (!fresh || (late && mayReread)) looks.push(await reread(db, cursor, packs, nowMs));
    else
      looks.push(
        goThrough(cursor, packs, cursor.state ?? undefined, fresh, nowMs, {
          late,
          rereadAt: cursor.rereadAt,
        }),
      );
  }
  return looks;
}

/** What tells that charging started, ended or completed. */
const isOfCharging = (name: string): boolean =>
  knownSignal(name)?.charging || isSocSignal(name) || isChargingFlag(name);

/** How many packs the machines' records list; LMB loggers have none. */
async function listedPacks(db: Database, streamIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.query<{ id: number; packs: number }>(
    'select stream_id as id, jsonb_array_length(batteries) as packs from machine where stream_id = any ($1)',
    [streamIds],
  );
  return new Map(rows.map(({ id, packs }) => [id, packs]));
}

/** A stream that was silent for long is read again too: what it delivers now may begin long ago. */
const canGoOn = ({ state, time }: Cursor, nowMs: number): boolean =>
  state !== null && time >= nowMs - RECENT_MS;

function isLate({ count, unsettled, storedCount, moved }: Cursor, fresh: number): boolean {
  const gainedSignals = moved && storedCount === count + unsettled;
  return gainedSignals || storedCount !== count + fresh;
}

async function reread(db: Database, cursor: Cursor, packs: number, nowMs: number): Promise<Look> {
  const { streamId, beginTime } = cursor;
  const windowStart = nowMs - RECENT_MS;
  const before = await lastReadingAt(db, streamId, windowStart);
  // What was said a little before is what the stream begins with.
  const start = Math.max(before ?? windowStart, beginTime) - SIGNAL_DROPS_AFTER_MS;
  const readings = (await readAfter(db, [{ streamId, time: start }], isOfCharging)).get(streamId) ?? [];
  const { looked, events } = goThrough(cursor, packs, undefined, readings, nowMs, {
    late: false,
    rereadAt: nowMs,
  });
  return { looked, events: events.filter(({ knownAt }) => knownAt > beginTime) };
}

function goThrough(
  { streamId, time, storedCount }: Cursor,
  packs: number,
  before: ChargingState | undefined,
  readings: readonly Reading[],
  nowMs: number,
  late: Pick<Looked, 'late' | 'rereadAt'>,
): Look {
  const settled = readings.filter((reading) => reading.time <= nowMs - SETTLE_MS);
  const unsettled = readings.length - settled.length;
  const events: ChargingEvent[] = [];
  let state = before;
  for (const reading of settled) {
    const next = advance(state, reading, packs);
    state = next.state;
    events.push(...next.events);
  }
  return {
    looked: {
      streamId,
      time: state?.time ?? time,
      state: state ?? null,
      count: storedCount - unsettled,
      unsettled,
      charging: state?.charging ?? false,
      awake: state === undefined || isAwake(state),
      ...late,
    },
    events,
  };
}
