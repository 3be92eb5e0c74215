import { untilCounted } from '#server/day-figures/test/until-counted.ts';
import type { Pool } from '#server/platform/database.ts';
import { indexClosedWeek } from '#server/telemetry/closed-weeks.ts';
import { openPartitions, weekOf } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { Signals } from '#shared/domain/signal.ts';
import type { BenchPortal } from './bench-portal.ts';
import { type Copy, copyHistory, copyLatest, patient } from './history-copies.ts';
import { machineSignals } from './history-signals.ts';
import { whole } from './row.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const BUCKET_MS = 5 * 60_000;
const STEP_MS = 10_000;
const BATCH = 2_000;
/** Connections that copy. */
const WORKERS = 2;
export const DAYS = 30;

export type Filled = {
  /** The range that the questions are about, ms. */
  readonly from: number;
  readonly to: number;
  /** How, for the row. */
  readonly how: string;
};

/**
 * ${DAYS} days of readings at 0.1 Hz: the first machine's through the function that ingests what loggers send; the
 * others are copies of it, each further east, a day at a time and in the order in which a fleet would have sent them.
 * The data goes a bucket further than the range at both ends.
 */
export async function fillHistory(
  { pool, owner }: Pick<BenchPortal, 'pool' | 'owner'>,
  streams: readonly number[],
  say: (line: string) => void,
): Promise<Filled> {
  const began = performance.now();
  const seconds = () => `${whole((performance.now() - began) / 1000)} s`;
  const [first, ...others] = streams as [number, ...number[]];
  const to = Math.floor(Date.now() / BUCKET_MS) * BUCKET_MS;
  const from = to - DAYS * DAY_MS - 2 * BUCKET_MS;
  await ingest(pool, first, { from, to, stepMs: STEP_MS }, machineSignals);
  const ingested = seconds();
  say(`one machine through ingest, ${ingested}`);

  const copies = others.map((streamId, n): Copy => ({ streamId, later: 0, east: 0.024 * (n + 1) }));
  // A week is a partition: no two connections write the same one.
  const weeks = pieces({ from: weekOf(from), to }, WEEK_MS).map((week) => ({
    ...week,
    from: Math.max(week.from, from),
  }));
  await inParallel(pool, weeks, async (client, week) => {
    for (const day of pieces(week, DAY_MS)) await copyHistory(client, { streamId: first, ...day }, copies);
    say(`a week copied to ${others.length} machines, ${seconds()}`);
  });
  for (const streamId of others) await copyLatest(pool, first, streamId);
  const copied = seconds();
  await untilCounted(pool);
  say(`days counted, ${seconds()}`);
  await vacuum(owner);
  say(`vacuum and analyze, ${seconds()}`);
  const how =
    `filled in ${seconds()}: one machine through ingest (${ingested}), ${others.length} copies of its readings, roll-up and ` +
    `latest by INSERT … SELECT in the order of time (${copied}), days counted, vacuum analyze; all indexes on from the start but those of closed weeks`;
  return { from: from + BUCKET_MS, to: to - BUCKET_MS, how };
}

/** Stores readings of one stream as they would have come in; `signalsAt` is given seconds since 1970. */
export async function ingest(
  pool: Pool,
  streamId: number,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
  signalsAt: (s: number) => Signals,
): Promise<void> {
  const partitions = openPartitions(pool, Date.now);
  for (const batch of pieces({ from, to }, BATCH * stepMs)) {
    await partitions.ensure([batch.from, batch.to], undefined);
    const count = Math.ceil((batch.to - batch.from) / stepMs);
    const readings = Array.from({ length: count }, (_, n) => {
      const time = batch.from + n * stepMs;
      return { streamId, time, signals: signalsAt(time / 1000) };
    });
    const { inserted } = await storeReadings(pool, readings);
    if (inserted !== count) throw new Error(`${inserted} of ${count} readings were new.`);
  }
}

type Span = { readonly from: number; readonly to: number };

/** The span in pieces of at most `ms`. */
export function pieces({ from, to }: Span, ms: number): Span[] {
  return Array.from({ length: Math.ceil((to - from) / ms) }, (_, n) => ({
    from: from + n * ms,
    to: Math.min(from + (n + 1) * ms, to),
  }));
}

/** Works through the list over two connections without limits of their own. */
export async function inParallel<Item>(
  pool: Pool,
  items: readonly Item[],
  work: (client: Pick<Pool, 'query'>, item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const workers = Array.from({ length: WORKERS }, async () => {
    const client = await pool.connect();
    try {
      await client.query('set statement_timeout = 0');
      for (let item = rest.shift(); item; item = rest.shift()) await work(client, item);
    } finally {
      client.release(true);
    }
  });
  await Promise.all(workers);
}

/** As autovacuum and upkeep would have done in the end. @param pool of who owns the tables */
export async function vacuum(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(patient('vacuum analyze reading, rollup, latest, day_figures'));
    while (await indexClosedWeek(client, Date.now()));
  } finally {
    client.release(true);
  }
}
