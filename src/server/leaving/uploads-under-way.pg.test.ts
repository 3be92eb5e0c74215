import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { purgeDeleted } from '#server/streams/purge.ts';
import { deleteSomeReadings } from '#server/telemetry/readings/write-readings.ts';
import { purgeDeletedStreams } from '#server/upkeep.ts';
import { GRACE_DAYS } from './test/run-upkeep.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const DAY = 86_400_000;
const rows = async (sql: string, ...values: unknown[]) => (await a.portal.pool.query(sql, values)).rows;
const countOf = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await rows(`select count(*)::int as n from ${sql}`, ...values))[0].n;
const isWaiting = () =>
  countOf(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
const SECONDS = 20_000;
const LOG = `time;Soc1\n${Array.from({ length: SECONDS }, (_, n) => `${new Date(Date.parse('2026-06-01T10:00:00Z') + n * 1000).toISOString()};${40 + (n % 50)}\n`).join('')}`;

test('a log file whose key is withdrawn while it is decoded adds no readings, and is not stored (55.45)', async () => {
  const logger = await a.fleet.newLogger();
  const client = await a.portal.pool.connect();
  await client.query('begin');
  await client.query('select from latest where stream_id = $1 for update', [logger.streamId]);
  const upload = a.fleet.put(logger, 'a.csv', LOG).catch((error) => error);
  await expect.poll(isWaiting).toBe(1);
  await a.call('POST /api/machine/writer/key', { body: { serial: logger.serialNumber, withdraw: true } });
  await a.portal.untilNotified();
  await client.query('commit');
  client.release();
  expect((await upload).name).toBe('InvalidAccessKeyId');
  expect(await a.fleet.readingsOf(logger.streamId)).toBeLessThan(SECONDS);
  expect(await countOf('object where logger_serial = $1', logger.loggerSerial)).toBe(0);
});

test('a log file whose key is withdrawn while it is stored is rejected (55.45)', async () => {
  const logger = await a.fleet.newLogger();
  const client = await a.portal.pool.connect();
  await client.query('begin');
  await client.query('update writer_key set retired_at = now() where access_key = $1', [logger.accessKey]);
  const upload = a.fleet.put(logger, 'a.csv', LOG.slice(0, 60)).catch((error) => error);
  await expect.poll(isWaiting).toBe(1);
  await client.query('commit');
  client.release();
  expect((await upload).name).toBe('InvalidAccessKeyId');
  expect(await countOf('object where logger_serial = $1', logger.loggerSerial)).toBe(0);
});

test('an upload just after a binding ended is deleted with the machine of that binding, and uploads of the logger’s next binding stay (55.45)', async () => {
  const logger = await a.fleet.newLogger();
  const { loggerSerial, serialNumber } = logger;
  await a.call('DELETE /api/machine/delete', { query: { machine_serial: serialNumber } });
  const [{ ended }] = await rows(
    'select greatest(valid_to, created_at) as ended from writer where logger_serial = $1',
    loggerSerial,
  );
  const object = (key: string, afterMs: number) =>
    a.portal.pool.query(
      `insert into object (logger_serial, key, size, etag, content_type, modified_at) values ($1, $2, 1, '', '', $3)`,
      [loggerSerial, key, new Date(ended.getTime() + afterMs)],
    );
  await object('late', 100);
  await a.machine('NEXT', { influx_serial: loggerSerial });
  await a.portal.pool.query(
    `update writer set created_at = $2 where logger_serial = $1 and valid_to = 'infinity'`,
    [loggerSerial, new Date(ended.getTime() + 1000)],
  );
  await object('next', 2000);
  await purgeDeletedStreams(a.portal.pool, new Date(Date.now() + (GRACE_DAYS + 1) * DAY), GRACE_DAYS);
  expect(await rows('select key from object where logger_serial = $1', loggerSerial)).toEqual([
    { key: 'next' },
  ]);
});

test('a machine for which a reading arrives while its history is being removed is removed at the next attempt (55.45)', async () => {
  const logger = await a.fleet.newLogger();
  const { streamId } = logger;
  await a.fleet.snapshot(logger, { GMT_UNIX: Math.floor(a.fleet.clock / 1000), Soc1: 50 });
  await a.portal.pool.query(
    `update stream set deleted_at = now() - interval '1 year', purged_at = now() - interval '1 hour' where id = $1`,
    [streamId],
  );
  await a.portal.pool.query(
    'delete from writer_key; delete from writer_health; delete from logger_event; delete from logger_config',
  );
  await a.portal.pool.query('delete from writer where stream_id = $1', [streamId]);
  const once = (removeHistory: () => Promise<boolean>) =>
    purgeDeleted(a.portal.pool, { unbind: async () => {}, removeHistory }, new Date(), GRACE_DAYS);
  await once(async () => true);
  expect(await countOf('latest where stream_id = $1', streamId)).toBe(1);
  await once(async () => {
    while ((await deleteSomeReadings(a.portal.pool, streamId, 1_000)) > 0);
    return true;
  });
  expect(await countOf('latest where stream_id = $1', streamId)).toBe(0);
});
