import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { accept, type ClockState } from '#shared/domain/test/oracle/accept.ts';
import { randomMachine, SEEDS } from '#shared/domain/test/oracle/random-machine.ts';
import { countDays } from './count-days.ts';
import { findDue } from './day-figures.store.ts';

let database: TestDatabase;
let organizations: number[];
beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organization (name, clean, code) values ('een', 'Een', '1'), ('twee', 'Twee', '2') returning id`,
  );
  organizations = rows.map(({ id }) => id);
});
afterAll(() => database.drop());

async function countAll(): Promise<void> {
  for (let due = await findDue(database.pool, 100); due.length > 0; due = await findDue(database.pool, 100))
    for (const streamId of due) await countDays(database.pool, streamId);
}

const TABLES = ['day_figures', 'presence', 'charging_session'];
async function counted(streamId: number) {
  const all: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await database.pool.query(
      `select to_jsonb(t) - 'stream_id' as row from ${table} t where stream_id = $1 order by 1`,
      [streamId],
    );
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

test.each(SEEDS)('14.2 machine %i: counted while it comes, and counted at once, are the same', async (seed) => {
  const machine = randomMachine(seed, { size: 250 });
  await openPartitions(database.pool, () => 0).ensure(
    machine.stored.map(({ time }) => time),
    undefined,
  );
  const streams = await Promise.all(
    ['a', 'b'].map((side) =>
      createStream(database.pool, 'machine', {
        serial: `${seed}-${side}`,
        alias: 'x',
        organizationId: organizations[0] as number,
      }),
    ),
  );
  const [slowly, atOnce] = streams as [number, number];
  const clocks: ClockState = new Map();
  const readings = machine.deliveries.flatMap((delivery) => {
    const result = accept(delivery, clocks);
    return 'refusal' in result ? [] : [{ ...result.reading, receivedAt: result.received }];
  });
  for (let from = 0, n = 1; from < readings.length; n++) {
    const batch = readings.slice(from, from + ((n * 37) % 90) + 1);
    await storeReadings(database.pool, batch.map((one) => ({ ...one, streamId: slowly })));
    await storeReadings(database.pool, batch.map((one) => ({ ...one, streamId: atOnce })));
    from += batch.length;
    if (n % 2 === 0) await countDays(database.pool, slowly);
  }
  await countAll();
  const found = await counted(atOnce);
  expect(await counted(slowly)).toEqual(found);
  console.log(seed, Object.entries(found).map(([table, rows]) => `${table} ${(rows as []).length}`).join(', '));
});
