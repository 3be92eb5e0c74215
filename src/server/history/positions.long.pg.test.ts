import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { readBuckets } from '#server/telemetry/read-buckets.ts';
import type { StreamReading } from '#server/telemetry/readings/signal-columns.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { recomputeNextStream } from '#server/telemetry/recompute.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { IS_TEST_OF_CLOSED_WEEKS } from '#server/test/closed.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { computeBuckets } from '#shared/domain/test/oracle/buckets.ts';
import { unusedPositionReasons } from '#shared/domain/test/oracle/counting.ts';
import { distanceMm } from '#shared/domain/test/oracle/path.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import { randomPositions } from '#shared/domain/test/oracle/random-positions.ts';
import { openBucketSlices, sumOfSlices } from './bucket-slices.ts';

let database: TestDatabase;
const DAY = Date.UTC(2026, 5, 1);
const WHOLE: Range = { from: DAY, to: DAY + 3 * 86_400_000 };

beforeAll(async () => {
  database = await testDatabase();
  await openPartitions(database.pool, () => DAY).ensure([DAY, DAY + 2 * 86_400_000], undefined);
});
afterAll(() => database.drop());

let nextStream = 0;
async function newStream(): Promise<number> {
  nextStream += 1;
  await database.pool.query('insert into latest (stream_id) values ($1)', [nextStream]);
  return nextStream;
}

/** Returns the readings in batches, in the order in which they arrive: some of the batches late, some repeated. */
function arrivalsOf(readings: readonly Reading[], random: Random): Reading[][] {
  const batches: Reading[][] = [];
  for (let from = 0; from < readings.length; ) {
    const to = from + random.whole(1, 20);
    batches.push(readings.slice(from, to));
    from = to;
  }
  for (let n = 0; n + 1 < batches.length; n += 1)
    if (random.chance(0.15))
      [batches[n], batches[n + 1]] = [batches[n + 1] as Reading[], batches[n] as Reading[]];
  return random.chance(0.2) ? [...random.shuffled(batches), ...batches.slice(0, 2)] : batches;
}

const NAMES = ['distanceMm', 'carriedMm', 'unusedNoFix', 'unusedNullIsland', 'unusedJumps', 'count'] as const;
const picked = (
  buckets: Iterable<readonly [number, Readonly<Record<(typeof NAMES)[number], number>>]>,
): unknown =>
  new Map(
    [...buckets].map(
      ([start, sums]) => [start, Object.fromEntries(NAMES.map((name) => [name, sums[name]]))] as const,
    ),
  );

async function expectAsTheOracle(streamId: number, readings: readonly Reading[]): Promise<void> {
  const buckets = await readBuckets(database.pool, streamId, [WHOLE]);
  expect(picked(buckets)).toEqual(picked([...computeBuckets(readings)].sort(([a], [b]) => a - b)));
  const rows = await storedRows(database.pool, streamId, ['time', 'latitude', 'longitude', 'rest']);
  const unused = rows.filter(
    ({ latitude, longitude, rest }) =>
      latitude === null && longitude === null && rest?.['Unused.LATITUDE'] !== undefined,
  );
  expect(new Set(unused.map(({ time }) => time.getTime()))).toEqual(
    new Set(unusedPositionReasons(readings).keys()),
  );
}

const arrive = (streamId: number, batch: readonly Reading[]) =>
  storeReadings(
    database.pool,
    batch.map((one): StreamReading => ({ streamId, ...one })),
  );
const settled = async (): Promise<void> => {
  while (await recomputeNextStream(database.pool));
};

test.each(Array.from({ length: 24 }, (_, n) => n + 1))(
  'positions of machine %i: the roll-up and cut ranges equal the oracle’s for any order of arrival (42.20)',
  async (seed) => {
    const readings = randomPositions(seed);
    const random = new Random(seed);
    const streamId = await newStream();
    for (const batch of arrivalsOf(readings, random)) await arrive(streamId, batch);
    await settled();
    await expectAsTheOracle(streamId, readings);

    const times = readings.map(({ time }) => time);
    for (let n = 0; n < 4; n += 1) {
      const [a, b] = [random.pick(times as [number]), random.pick(times as [number])];
      const [range, own] = [
        { from: Math.min(a, b), to: Math.max(a, b) + 1 },
        random.chance(0.5) ? WHOLE : { from: Math.min(a, b) - random.whole(0, 400_000), to: WHOLE.to },
      ];
      const slices = await openBucketSlices(database.pool, streamId, own, range);
      expect(sumOfSlices(await slices.of(range)).distanceMm).toBe(distanceMm(readings, range, [own]));
    }
  },
);

// The test changes stored readings, which is possible for rows but not for files.
test.skipIf(IS_TEST_OF_CLOSED_WEEKS)(
  'figures that were stored by other rules are recomputed while uploads continue (42.21)',
  async () => {
    for (const seed of [31, 32, 33, 34]) {
      const readings = randomPositions(seed);
      const streamId = await newStream();
      const half = readings.length >> 1;
      await arrive(streamId, readings.slice(0, half));
      await settled();
      await database.pool.query(
        `update reading set latitude = coalesce(latitude, (rest ->> 'Unused.LATITUDE')::float8),
         longitude = coalesce(longitude, (rest ->> 'Unused.LONGITUDE')::float8),
         rest = nullif(rest - 'Unused.LATITUDE' - 'Unused.LONGITUDE', '{}') where stream_id = $1`,
        [streamId],
      );
      await database.pool.query(
        `update rollup set distance_mm = distance_mm + 5000, carried_mm = 0, unused_jumps = 0 where stream_id = $1`,
        [streamId],
      );
      await database.pool.query(
        `update latest set recompute_from = '-infinity', track = '{}' where stream_id = $1`,
        [streamId],
      );
      for (let from = half; from < readings.length; from += 10) {
        await arrive(streamId, readings.slice(from, from + 10));
        await recomputeNextStream(database.pool);
      }
      await settled();
      await expectAsTheOracle(streamId, readings);
    }
  },
);
