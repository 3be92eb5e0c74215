import type { Pool, Transaction } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { isNews, isSameEvent } from '#shared/domain/charging-mail-rules.ts';
import type { ChargingMails } from './charging-mails.ts';
import { keepCursors, lockDueCursors, saveCursors } from './cursors.store.ts';
import { knownEvents, storeEvent } from './events.store.ts';
import { type Look, lookAt } from './look.ts';

/** Looks for charging events in the readings of machines that somebody subscribed to (MAIL-01). */
export type ChargingWatch = {
  /** One pass over all of them, unless another process is at it; BUDGET_MS at most. Safe to break off and to repeat. */
  look(): Promise<void>;
  close(): Promise<void>;
};

const EVERY_MS = 30_000;
/** Streams per transaction: short enough for the requests that wait meanwhile. */
const BATCH = 200;
/** A look breaks off soon after; the next one goes on where it was. */
const BUDGET_MS = 10_000;
/** One process at a time; what two would do at once is right, but done for nothing. */
const LOCK = 7_406_324;

export type Watched = {
  readonly pool: Pool;
  readonly mails: ChargingMails;
  readonly warn: Warn;
  readonly now: () => number;
};

/** Every 30 s, in one process at a time. */
export function startChargingWatch(watched: Watched): ChargingWatch {
  let running: Promise<void> = Promise.resolve();
  let after = 0;
  const look = () => {
    const done = running.then(async () => {
      after = await lookOnce(watched, after);
    });
    running = done.catch(() => {});
    return done;
  };
  const tick = () =>
    look().catch((error: Error) => watched.warn('Charging events are looked for again later', error.message));
  const timer = setInterval(tick, EVERY_MS).unref();
  return {
    look,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** @returns after which stream the next look goes on; 0: it begins anew */
async function lookOnce({ pool, mails, now }: Watched, from: number): Promise<number> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (!rows[0]?.mine) return from;
    await keepCursors(client);
    const until = performance.now() + BUDGET_MS;
    const nowMs = now();
    let after = from;
    do after = await lookAtBatch(client, mails, nowMs, after);
    while (after > 0 && performance.now() < until);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    return after;
  } catch (error) {
    broken = error as Error; // the lock and the transaction go with their connection
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * The events, the mails about them and how far we looked: all of it or nothing.
 * @returns the last stream of the batch, 0 when there are no more
 */
async function lookAtBatch(
  client: Transaction,
  mails: ChargingMails,
  nowMs: number,
  after: number,
): Promise<number> {
  // One snapshot: the numbers of readings are those of the readings themselves.
  await client.query('begin isolation level repeatable read');
  const due = await lockDueCursors(client, new Date(nowMs), after, BATCH);
  if (due.length > 0) {
    // By key, whatever the planner thinks of the lengths of our arrays.
    await client.query('set local enable_seqscan = off');
    await client.query('set local enable_hashjoin = off');
    await client.query('set local enable_mergejoin = off');
    const looks = await lookAt(client, due, nowMs);
    await tell(
      client,
      mails,
      looks.filter(({ events }) => events.length > 0),
      nowMs,
    );
    await saveCursors(
      client,
      looks.map(({ looked }) => looked),
      new Date(nowMs),
    );
  }
  await client.query('commit');
  return due.length < BATCH ? 0 : (due.at(-1)?.streamId ?? 0);
}

/** Stores the events that are not known yet, in order of time, and queues the mails about those that are news. */
async function tell(
  client: Transaction,
  mails: ChargingMails,
  looks: readonly Look[],
  nowMs: number,
): Promise<void> {
  if (looks.length === 0) return;
  const streamIds = looks.map(({ looked }) => looked.streamId);
  const since = Math.min(...looks.flatMap(({ events }) => events.map(({ from }) => from)));
  const knownOf = await knownEvents(client, streamIds, since);
  for (const { looked, events } of looks) {
    const { streamId } = looked;
    const known = knownOf.get(streamId) ?? [];
    for (const event of events) {
      if (known.some((other) => isSameEvent(event, other))) continue;
      const mailed = isNews(event, known, nowMs);
      if (!(await storeEvent(client, streamId, event, mailed))) continue;
      known.push({ ...event, mailed });
      if (mailed) await mails.queue(client, streamId, event);
    }
  }
}
