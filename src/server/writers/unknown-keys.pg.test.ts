import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, validMachineForm } from '#server/machines/test/administration.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { UnknownKey } from '#shared/contract/writers.ts';
import {
  deleteKeysOfLoggers,
  deleteUnknownKeys,
  recordUnknownKeyUses,
  unknownKeysOfLoggersSql,
} from './unknown-keys.store.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

async function logger(serial: string): Promise<TestLogger> {
  await a.machine(serial);
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  return a.loggerOf(serial);
}
/** Returns the answer to an upload, as its sender reads it. */
const put = (as: TestLogger, key: string): Promise<unknown> =>
  a.fleet
    .clientOf(as)
    .send(new PutObjectCommand({ Bucket: 'telemetry', Key: key, Body: '{}' }))
    .then(
      () => 'stored',
      ({ name, message }: Error) => `${name}: ${message}`,
    );
const all = async (): Promise<UnknownKey[]> => {
  await a.portal.portal.counters.flush();
  return (await a.call('GET /api/machine/writer/unknown')).json;
};
const listed = async (accessKey: string): Promise<UnknownKey | undefined> =>
  (await all()).find((key) => key.accessKey === accessKey);
const times = { firstSeen: expect.any(String), lastSeen: expect.any(String) };

test('an unknown key is listed with the folder of the upload, and the machine that the logger of that folder reports for (55.51)', async () => {
  const known = await logger('K-1');
  const stranger = { ...known, accessKey: 'WSSTRANGER' };
  const folder = `WS_SN${known.loggerSerial}`;
  await put(stranger, `${folder}/1/snapshot.json`);
  expect(await listed('WSSTRANGER')).toEqual({
    ...times,
    accessKey: 'WSSTRANGER',
    count: 1,
    folder: `${folder}/1`,
    loggerId: known.loggerSerial,
    reportsFor: expect.objectContaining({ kind: 'machine', serial: 'K-1', isDeleted: false }),
    former: null,
  });
  await put(stranger, 'los.json');
  expect(await listed('WSSTRANGER')).toMatchObject({ count: 2, folder: `${folder}/1` });
  await put(stranger, 'elders_SN0000001/snapshot.json');
  expect(await listed('WSSTRANGER')).toMatchObject({
    count: 3,
    folder: 'elders_SN0000001',
    loggerId: '0000001',
    reportsFor: null,
  });
});

test('a retired key is listed with its logger, its machine and the time of its end, and is refused like a key that never existed (55.51)', async () => {
  const own = await logger('K-2');
  await a.call('POST /api/machine/writer/release', { body: { serial: 'K-2' } });
  const key = `WS_SN${own.loggerSerial}/snapshot.json`;
  const refusal = await put({ ...own, accessKey: 'WSOTHER' }, key);
  await expect.poll(() => put(own, key), { timeout: 20_000 }).toBe(refusal);
  const { rows } = await a.portal.pool.query('select retired_at from writer_key where access_key = $1', [
    own.accessKey,
  ]);
  const machine = expect.objectContaining({ serial: 'K-2', organization: 'klant', isDeleted: false });
  const former = { loggerId: own.loggerSerial, machine, endedAt: rows[0].retiredAt.toISOString() };
  expect(await listed(own.accessKey)).toMatchObject({
    former,
    loggerId: own.loggerSerial,
    reportsFor: null,
  });
  await a.call('DELETE /api/machine/delete', {
    query: { machine_serial: 'K-2', alias: validMachineForm('K-2').alias, bedrijf: 'klant' },
  });
  expect((await listed(own.accessKey))?.former?.machine.isDeleted).toBe(true);
});

test('the folder that an upload names is cut to 100 characters, and unreadable characters are replaced (55.51)', async () => {
  const { counters } = a.portal.portal;
  counters.addUnknownKey('WSHOSTILE', `a\u0000\u202Eb\ud800${'x'.repeat(500)}/_SN0000001/snapshot.json`);
  const hostile = await listed('WSHOSTILE');
  expect(hostile?.folder).toBe(`a\uFFFD\uFFFDb\uFFFD${'x'.repeat(95)}`);
  expect(hostile?.loggerId).toBe('');
  counters.addUnknownKey('WSNOWHERE');
  expect(await listed('WSNOWHERE')).toMatchObject({
    folder: '',
    loggerId: '',
    reportsFor: null,
    former: null,
  });
});

test('at most 1,000 unknown keys are kept, and invented keys do not displace a key that once belonged to a logger (55.51)', async () => {
  const own = await logger('K-3');
  await a.call('POST /api/machine/writer/release', { body: { serial: 'K-3' } });
  a.portal.portal.counters.addUnknownKey(own.accessKey, `WS_SN${own.loggerSerial}/snapshot.json`);
  await a.portal.portal.counters.flush();
  await a.portal.pool.query(
    `insert into unknown_key (access_key, folder, last_seen_at)
     select 'WS' || n, 'x_SN' || (1000000 + n), now() + interval '1 hour' from generate_series(1, 5000) as n`,
  );
  await deleteUnknownKeys(a.portal.pool);
  const { rows } = await a.portal.pool.query('select count(*)::int as n from unknown_key');
  expect(rows[0].n).toBe(1_000);
  expect((await all()).length).toBe(200);
  expect(await listed(own.accessKey)).toMatchObject({ former: { loggerId: own.loggerSerial } });
});

test('a refused upload during the deletion of its logger’s customer is counted only after the deletion (55.69)', async () => {
  const { pool } = a.portal;
  const use = { accessKey: 'WSGONE', count: 1, folder: 'WS_SN7654321' };
  await recordUnknownKeyUses(pool, [use]);
  const countOf = async (db: Pool | Transaction) =>
    (await db.query(`select count(*)::int as n from ${unknownKeysOfLoggersSql('$1')}`, [['7654321']])).rows[0]
      .n;
  const waiting = async () =>
    (
      await pool.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.relation = 'unknown_key'::regclass and not l.granted`,
      )
    ).rowCount;
  let written: Promise<void> | undefined;
  await inTransaction(pool, async (client) => {
    await deleteKeysOfLoggers(client, ['7654321']);
    written = recordUnknownKeyUses(pool, [use]);
    await expect.poll(waiting).toBe(1);
    expect(await countOf(client)).toBe(0);
  });
  await written;
  expect(await countOf(pool)).toBe(1);
});
