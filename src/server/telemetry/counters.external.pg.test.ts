import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMachine } from '#server/machines/machines.store.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import { openCounters } from './counters.ts';

let database: TestDatabase;
let organizationId: number;
let machines = 0;
beforeAll(async () => {
  database = await testDatabase();
  const organization = { name: 'klant', clean: 'Klant', isLmbCustomer: false };
  organizationId = await createOrganization(database.pool, organization);
});
afterAll(() => database.drop());

async function newWriter(): Promise<number> {
  machines += 1;
  // Keeps the number of this machine, because several machines are created at the same time.
  const number = machines;
  const streamId = await createMachine(database.pool, {
    serial: `C-${number}`,
    alias: `C ${number}`,
    organizationId,
    brand: 'b',
    model: 'm',
    macaddress: '',
    batteries: [],
    accessories: [],
    initialHours: 0,
  });
  return createWriter(database.pool, {
    streamId,
    loggerSerial: String(4_000_000 + number),
    at: new Date(),
  });
}

async function countersOf(writerId: number): Promise<Record<string, number> | undefined> {
  const { rows } = await database.pool.query('select counters from writer_health where writer_id = $1', [
    writerId,
  ]);
  return rows[0]?.counters;
}

test('counts of a deleted writer are dropped, and the counts of other writers are stored (INGEST-03)', async () => {
  const warnings: string[] = [];
  const counters = openCounters(database.pool, (message) => void warnings.push(message));
  const [gone, stays] = [await newWriter(), await newWriter()];
  await database.pool.query('delete from writer_health where writer_id = $1', [gone]);
  await database.pool.query('delete from writer where id = $1', [gone]);
  counters.add(gone, { uploads: 1 });
  counters.add(stays, { uploads: 2, readings: 1 });
  await counters.flush();
  expect(await countersOf(stays)).toEqual({ uploads: 2, readings: 1 });
  counters.add(stays, { uploads: 3 });
  await counters.close();
  expect(await countersOf(stays)).toEqual({ uploads: 5, readings: 1 });
  expect(await countersOf(gone)).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('the count of a writer’s first upload, and of one after a minute of silence, is written immediately, and other counts later (55.52)', async () => {
  const counters = openCounters(database.pool, () => undefined);
  const writerId = await newWriter();
  const seen = (at: number) => counters.add(writerId, { uploads: 1 }, { at });
  await seen(0);
  expect(await countersOf(writerId)).toEqual({ uploads: 1 });
  expect([seen(30_000), seen(90_000)]).toEqual([undefined, undefined]);
  expect(counters.add(writerId, { refused: 1 }, { at: 200_000, refusal: 'AccessDenied' })).toBeUndefined();
  await seen(150_001);
  expect(await countersOf(writerId)).toEqual({ uploads: 4, refused: 1 });
  await counters.close();
});

test('the counts of concurrent first uploads of many writers are written together (55.52)', async () => {
  const writers = await Promise.all([newWriter(), newWriter(), newWriter()]);
  const counters = openCounters(database.pool, () => undefined);
  const writes = writers.map((writerId) => counters.add(writerId, { uploads: 1 }, { at: 0 }));
  expect(new Set(writes).size).toBe(1);
  await writes[0];
  for (const writerId of writers) expect(await countersOf(writerId)).toEqual({ uploads: 1 });
  await counters.close();
});
