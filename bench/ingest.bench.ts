/**
 * Batch ingest below the upload endpoint (docs/design.md section 11): storeReadings() with 1,000 readings of 100 streams per
 * batch, 20 signals each, roll-up, totals and `latest` included, one batch after the other on one connection.
 * Reference: the same batches by COPY -> temporary table -> INSERT … ON CONFLICT into a table of the same shape,
 * without any of those.
 *
 * There is no path that leaves `latest` and the roll-up for later: what is acknowledged is seen, and a bucket that is
 * computed afterwards costs some ten times as much per reading as one that is fed by what comes in. So the mark for a
 * batch without them (0.8 x) is held against the whole path.
 */
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { openDatabase } from '#server/open-database.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { StreamReading } from '#server/telemetry/signal-columns.ts';
import { bareCopy, makeBareTable } from './bare-copy.ts';
import { STEP_SECONDS, signalsOf } from './fleet.ts';
import { type Comparison, compare, inPairs } from './pairs.ts';
import { type Bench, type Row, whole } from './row.ts';

const STREAMS = 100;
const BATCH = 1_000;
const BATCHES = 40;
const PAIRS = 7;
const REACH = 0.5;
const REACH_WITHOUT = 0.8;
/** Weeks of history that a portal of two years has, and pairs with them. */
const WEEKS = 104;
const PAIRS_WITH_WEEKS = 3;
const WEEK_MS = 7 * 24 * 3_600_000;
/** The readings end before now: (all pairs + warm-up) x batches x 10 steps x 2 s is under three hours. */
const PAST_MS = 6 * 3_600_000;

export const ingest: Bench = async (place) => {
  const config = readConfig({ DATA_DIR: await place.folder() });
  const { pool, owner, close } = await openDatabase(config, pino({ level: 'warn' }));
  place.onClose(close);
  const streams = await makeStreams(pool);
  const firstMs = Date.now() - PAST_MS;
  const partitions = openPartitions(pool, Date.now);
  await partitions.ensure([firstMs, Date.now()], undefined);
  // The bare tables are no portal's.
  const client = await owner.connect();
  place.onClose(async () => client.release());
  await makeBareTable(client);

  /** Readings per second. The batches are made before the clock runs. */
  async function timed(from: number, store: (readings: readonly StreamReading[]) => Promise<unknown>) {
    const batches = Array.from({ length: BATCHES }, (_, n) => batchOf(streams, from + n, firstMs));
    const began = performance.now();
    for (const batch of batches) await store(batch);
    return (BATCHES * BATCH * 1000) / (performance.now() - began);
  }
  let oursDone = 0;
  let bareDone = 0;
  const ours = () => timed(BATCHES * oursDone++, (readings) => storeReadings(pool, readings));
  const bare = () => timed(BATCHES * bareDone++, (readings) => bareCopy(client, readings));

  await ours();
  await bare();
  const few = compare(await inPairs(PAIRS, ours, bare), (perSecond) => perSecond);
  const weeks = Array.from({ length: WEEKS }, (_, n) => Date.now() - n * WEEK_MS);
  await partitions.ensure(weeks, undefined);
  const many = compare(await inPairs(PAIRS_WITH_WEEKS, ours, bare), (perSecond) => perSecond);
  await checkCounts(client, oursDone * BATCHES * BATCH);

  const what = `batch ingest, ${whole(BATCH)} readings of ${STREAMS} streams, with latest and roll-up`;
  return [
    rowOf(what, few, REACH),
    rowOf(`${what}: by the mark for a batch without them`, few, REACH_WITHOUT),
    rowOf(`${what}, beside ${WEEKS} weekly partitions`, many, REACH),
  ];
};

function rowOf(what: string, { ours, reference, ratio, rounds }: Comparison, reach: number): Row {
  return {
    what,
    measured: `${whole(ours)} readings/s`,
    reference: `${whole(reference)} readings/s bare COPY`,
    ratio,
    reach: `>= ${reach} x`,
    reached: ratio >= reach,
    notes: [`pairs, readings per second: ${rounds}`],
  };
}

/** Batch `n`: the next readings of every stream, in the order of time. */
function batchOf(streams: readonly number[], n: number, firstMs: number): StreamReading[] {
  const perStream = BATCH / STREAMS;
  return Array.from({ length: BATCH }, (_, i) => {
    const machine = i % STREAMS;
    const step = n * perStream + Math.floor(i / STREAMS);
    const time = firstMs + step * STEP_SECONDS * 1000;
    return { streamId: streams[machine] as number, time, signals: signalsOf(machine, step) };
  });
}

function makeStreams(pool: Pool): Promise<number[]> {
  return inTransaction(pool, async (client) => {
    const organizationId = await createOrganization(client, {
      name: 'bench',
      clean: 'Bench',
      isLmbCustomer: false,
    });
    const streams: number[] = [];
    for (let n = 0; n < STREAMS; n++) {
      const machine = {
        serial: `BENCH-${n}`,
        alias: `Machine ${n}`,
        organizationId,
        brand: 'Volta',
        model: 'EX-14',
      };
      const details = { macaddress: '', batteries: [], accessories: [], initialHours: 0 };
      streams.push(await createMachine(client, { ...machine, ...details }));
    }
    return streams;
  });
}

/** Neither side may be quick because it stores less. @throws when it did */
async function checkCounts(pool: Database, expected: number): Promise<void> {
  const { rows } = await pool.query<{ ours: number; rolled: number; bare: number; same: boolean }>(
    `select (select count(*) from reading)::float8 as ours, (select sum(count) from rollup)::float8 as rolled,
       (select count(*) from bare_reading)::float8 as bare,
       not exists (select * from reading except select * from bare_reading) as same`,
  );
  const { ours, rolled, bare, same } = rows[0] ?? {};
  if (ours !== expected || rolled !== expected || bare !== expected || !same) {
    throw new Error(`Not the same was stored: ${JSON.stringify(rows[0])}, ${expected} were sent.`);
  }
}
