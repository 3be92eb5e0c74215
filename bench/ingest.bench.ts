/**
 * Batch ingest below the upload endpoint (docs/performance.md): storeReadings() with 1,000 readings of
 * 100 streams per batch, 20 signals each, roll-up, totals and `latest` included, one batch after the other on
 * one connection. Reference: the same batches by COPY -> temporary table -> INSERT … ON CONFLICT into a table
 * of the same shape, without roll-up, totals and `latest`.
 * The portal updates `latest` and the roll-up in the transaction that stores a batch. The rate with them is therefore also compared with
 * the target for a batch without them.
 */
import type { Database, Pool } from '#server/platform/database.ts';
import { openPartitions, type Partitions } from '#server/telemetry/partitions.ts';
import type { StreamReading } from '#server/telemetry/readings/signal-columns.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { copyIntoBareReadingTable, createBareReadingTable } from './bare-copy.ts';
import { createMachines, openBenchDatabase, readingBatch } from './portal.ts';
import { type Bench, rateRow, wholeNumber } from './report.ts';
import { type Comparison, comparePairs, runInPairs } from './statistics.ts';

const STREAMS = 100;
const BATCH = 1_000;
const BATCHES = 40;
const PAIRS = Number(process.env.INGEST_PAIRS ?? 7);
/**
 * WEEKS: number of weeks with history in a portal of two years. PAIRS_WITH_WEEKS: number of pairs that are measured with these weeks.
 */
const WEEKS = 104;
const PAIRS_WITH_WEEKS = 3;
const WEEK_MS = 7 * 24 * 3_600_000;
/** How long ago the first reading is: the readings of all measurements cover (pairs + warm-up) x batches x 10 steps x 2 s < 3 hours. */
const PAST_MS = 6 * 3_600_000;

export const ingestBench: Bench = async (context) => {
  const { pool, owner } = await openBenchDatabase(context, { DATA_DIR: await context.folder() });
  const machines = await createMachines(pool, STREAMS + BACKLOG_MACHINES);
  const streams = machines.slice(0, STREAMS);
  const firstMs = Date.now() - PAST_MS;
  const partitions = openPartitions(pool, Date.now);
  await partitions.ensure([firstMs, Date.now()], undefined);
  // The reference's table is made by the role that owns the tables, because no other role may.
  const client = await owner.connect();
  context.onClose(async () => client.release());
  await createBareReadingTable(client);

  /** Returns the readings that `store` stores per second. Makes the batches, from batch number `from` on, before the clock starts. */
  async function timed(from: number, store: (readings: readonly StreamReading[]) => Promise<unknown>) {
    const batches = Array.from({ length: BATCHES }, (_, n) =>
      readingBatch(streams, BATCH, from + n, firstMs),
    );
    const began = performance.now();
    for (const batch of batches) await store(batch);
    return (BATCHES * BATCH * 1000) / (performance.now() - began);
  }
  let [oursDone, bareDone] = [0, 0];
  const ours = () => timed(BATCHES * oursDone++, (readings) => storeReadings(pool, readings));
  const bare = () => timed(BATCHES * bareDone++, (readings) => copyIntoBareReadingTable(client, readings));

  await ours();
  await bare();
  const few = comparePairs(await runInPairs(PAIRS, ours, bare));
  const weeks = Array.from({ length: WEEKS }, (_, n) => Date.now() - n * WEEK_MS);
  await partitions.ensure(weeks, undefined);
  const many = comparePairs(await runInPairs(PAIRS_WITH_WEEKS, ours, bare));
  await checkCounts(client, oursDone * BATCHES * BATCH);

  const backlog = await compareBacklog(pool, partitions, machines.slice(STREAMS));

  const what = `storing batches of ${wholeNumber(BATCH)} readings of ${STREAMS} streams, with newest values and roll-up`;
  const to = { unit: ' readings/s', beside: 'by plain COPY' };
  return [
    rateRow(what, few, { ...to, leastRatio: 0.5 }),
    rateRow(`${what}: compared with the target for storing without them`, few, { ...to, leastRatio: 0.8 }),
    rateRow(`${what}, with ${WEEKS} weekly partitions`, many, { ...to, leastRatio: 0.5 }),
    rateRow(`storing batches of ${wholeNumber(BACKLOG)} readings of one machine in a closed week`, backlog, {
      unit: ' readings/s',
      beside: 'in this week, as rows',
      leastRatio: 2.5,
    }),
  ];
};

/** Number of readings in a batch of a logger's backlog, and number of batches that are timed together. */
const BACKLOG = 5_000;
const BACKLOG_BATCHES = 4;
const BACKLOG_MACHINES = 2 * (PAIRS + 1) * BACKLOG_BATCHES;

/**
 * Compares storing batches of readings in a closed week, which become files, with storing as many readings in the current week, which
 * become rows. Each batch is of a different machine. InfluxDB needed 0.41 of the time of the rows on 2026-11-27.
 */
async function compareBacklog(pool: Pool, partitions: Partitions, streams: number[]): Promise<Comparison> {
  const closedMs = Date.now() - 8 * WEEK_MS;
  const openMs = Date.now() - PAST_MS;
  await partitions.ensure([closedMs, openMs], undefined);
  async function timed(firstMs: number): Promise<number> {
    const batches = streams
      .splice(0, BACKLOG_BATCHES)
      .map((streamId) => readingBatch([streamId], BACKLOG, 0, firstMs));
    const began = performance.now();
    for (const batch of batches) await storeReadings(pool, batch);
    return (BACKLOG_BATCHES * BACKLOG * 1000) / (performance.now() - began);
  }
  await timed(closedMs);
  await timed(openMs);
  return comparePairs(
    await runInPairs(
      PAIRS,
      () => timed(closedMs),
      () => timed(openMs),
    ),
  );
}

/** @throws if `reading`, the roll-up or `bare_reading` does not have `expected` readings, or if the two tables differ */
async function checkCounts(database: Database, expected: number): Promise<void> {
  const { rows } = await database.query<{ ours: number; rolled: number; bare: number; same: boolean }>(
    `select (select count(*) from reading)::float8 as ours, (select sum(count) from rollup)::float8 as rolled,
       (select count(*) from bare_reading)::float8 as bare,
       not exists (select * from reading except select * from bare_reading) as same`,
  );
  const { ours, rolled, bare, same } = rows[0] ?? {};
  if (ours !== expected || rolled !== expected || bare !== expected || !same)
    throw new Error(
      `The two sides stored other readings: ${JSON.stringify(rows[0])}, ${expected} were sent.`,
    );
}
