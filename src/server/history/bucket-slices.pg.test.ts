import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStream } from '#server/streams/streams.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import { openBucketSlices } from './bucket-slices.ts';
import { storeTestReadings } from './test/readings.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const START = Date.UTC(2026, 5, 1, 8);
const ALWAYS = { from: 0, to: Date.UTC(2100, 0, 1) };

test.each([30, 900])(
  'concurrent reads of bucket slices give the same result as sequential reads: %i readings in five minutes',
  async (perBucket) => {
    const { pool } = database;
    const organization = `Een ${perBucket}`;
    const { rows } = await pool.query<{ id: number }>(
      'insert into organization (name, clean, code) values ($1, $1, $1) returning id',
      [organization],
    );
    const fields = { serial: organization, alias: 'x', organizationId: rows[0]?.id as number };
    const streamId = await createStream(pool, 'machine', fields);
    const step = BUCKET_MS / perBucket;
    const readings = Array.from({ length: 3 * perBucket }, (_, n) => ({
      time: Math.round(START + n * step),
      signals: { Speed: n / 1e3, Soc1: 90 - n / 1e3, ...(n % 7 === 0 && { [`Own${n}`]: n }) },
    }));
    await storeTestReadings(pool, streamId, readings);

    const span = { from: START, to: START + 3 * BUCKET_MS };
    const open = () => openBucketSlices(pool, streamId, ALWAYS, span, span.to);
    const asked = Array.from({ length: 12 }, (_, n) => ({
      from: START + n * 47_000,
      to: START + n * 60_000 + 1_000,
    }));
    const batched = await open();
    const alone: unknown[] = [];
    for (const range of asked) alone.push(await (await open()).of(range));
    expect(await Promise.all(asked.map(batched.of))).toEqual(alone);
    const { readings: found } = await batched.within(span);
    expect(found).toEqual(readings);
  },
);
