import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { inTransaction } from '#server/platform/database.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { eraseHistory } from './erase-history.ts';
import { runUpkeep } from './test/run-upkeep.ts';

let a: AdminTestPortal;
let koper: number;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  koper = await a.portal.organization('koper');
});
afterAll(() => a.close());

const rows = async (sql: string, ...values: unknown[]) => (await a.portal.pool.query(sql, values)).rows;
const MINUTE = 60_000;
/** Midnight of a day in January in Amsterdam. */
const START = Date.parse('2026-01-12T23:00:00Z');
const SOLD = START + 90 * MINUTE;

/** Creates a machine that works and reports every five minutes from `from` on, until three hours after START. */
async function worked(serial: string, from: number): Promise<number> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
  await a.call('GET /api/machine/config/create', { query: { serienummer: serial } });
  const logger = await a.loggerOf(serial);
  await a.portal.pool.query(`update writer set valid_from = '-infinity' where stream_id = $1`, [
    logger.streamId,
  ]);
  await a.portal.untilNotified();
  for (let time = from; time < START + 180 * MINUTE; time += 5 * MINUTE)
    await a.fleet.snapshot(logger, {
      GMT_UNIX: time / 1000,
      Soc1: 80,
      MotorSpeed: 900,
      LATITUDE: 52 + (time - START) / 1e9,
      LONGITUDE: 5,
    });
  return logger.streamId;
}

const figures = async (streamId: number) => ({
  readings: await storedRows(a.portal.pool, streamId, ['time', 'soc1', 'latitude']),
  rollup: await rows(
    'select bucket, count, running_ms, heard_ms, distance_mm from rollup where stream_id = $1 order by bucket',
    streamId,
  ),
  days: await rows(
    'select day, count, running_ms, heard_ms, distance_mm from day_figures where stream_id = $1 and organization_id = $2 order by day',
    streamId,
    koper,
  ),
});

test('erasing one owner’s period of a sold machine keeps the hour meter, and leaves the other owner’s figures as if that period had no data (55.43)', async () => {
  const sold = await worked('P-1', START);
  const twin = await worked('P-2', SOLD);
  for (const id of [sold, twin]) await moveStream(a.portal.pool, id, koper, new Date(SOLD));
  for (const id of [sold, twin]) await computeUntilUpToDate(a.portal.pool, id);
  await a.portal.user('chef@koper.nl', koper, 'beheerder');
  const cookie = await a.portal.login('chef@koper.nl');
  /** Returns the hour meter of P-1 at the end of the report, in seconds. */
  const meterAtEnd = async (): Promise<number> => {
    const query = { from: '2026-01-13', to: '2026-01-14' };
    const { columns, rows: lines } = (await a.call('GET /api/report/draaiuren', { as: cookie, query })).json;
    const at = (title: string) => columns.findIndex((column: { title: string }) => column.title === title);
    return lines.find((line: unknown[]) => line.includes('P-1'))[at('Urenstand einde')];
  };
  // The interval across the moment of the sale belongs to neither owner.
  expect(await meterAtEnd()).toBe(34 * 300);
  const { rows: before } = await a.portal.pool.query(
    'select total_running_ms from latest where stream_id = $1',
    [sold],
  );
  const periods = (await a.call('GET /api/machine/periods', { query: { serial: 'P-1' } })).json;
  expect(periods).toEqual([
    {
      _id: expect.any(Number),
      cleanorg: 'klant BV',
      from: null,
      to: new Date(SOLD).toISOString(),
      readings: 18,
      state: 'kept',
    },
  ]);
  const erase = (_id: number) => a.call('POST /api/machine/periods/erase', { body: { serial: 'P-1', _id } });
  expect((await erase(periods[0]._id + 1)).status).toBe(404);
  expect((await erase(periods[0]._id)).status).toBe(200);
  expect((await erase(periods[0]._id)).status).toBe(200);
  await runUpkeep(a.portal.pool, a.fleet.clock);
  await computeUntilUpToDate(a.portal.pool, sold);
  expect(await figures(sold)).toEqual(await figures(twin));
  expect((await figures(sold)).readings).toHaveLength(18);
  expect(await meterAtEnd()).toBe(35 * 300);
  expect(before).toEqual([{ totalRunningMs: String(35 * 300_000) }]);
  expect(
    (await a.portal.pool.query('select total_running_ms from latest where stream_id = $1', [sold])).rows,
  ).toEqual(before);
  expect(Number(before[0].totalRunningMs)).toBeGreaterThan(
    Number((await rows('select total_running_ms from latest where stream_id = $1', twin))[0].totalRunningMs),
  );
  expect((await a.call('GET /api/machine/periods', { query: { serial: 'P-1' } })).json).toMatchObject([
    { readings: 0, state: 'erased' },
  ]);
  expect(await rows(`select organization_id, data from audit where action = 'history.erase'`)).toEqual([
    {
      organizationId: null,
      data: { from: null, to: new Date(SOLD).toISOString(), organization: 'klant BV' },
    },
  ]);
});

test('erasing a period continues after an interruption, and deletes only those uploads of the logger that are from the period (55.43)', async () => {
  const id = await worked('P-3', START);
  await moveStream(a.portal.pool, id, koper, new Date(SOLD));
  const logger = (await a.loggerOf('P-3')).loggerSerial;
  const object = (key: string, at: number) =>
    a.portal.pool.query(
      `insert into object (logger_serial, key, size, etag, content_type, modified_at) values ($1, $2, 1, 'x', 'text/plain', $3)`,
      [logger, key, new Date(at)],
    );
  await object('then', START + MINUTE);
  await object('since', SOLD + MINUTE);
  const [{ klant }] = await rows(`select id as klant from organization where name = 'klant'`);
  const erased = { streamId: id, organizationId: klant, from: Number.NEGATIVE_INFINITY, to: SOLD };
  // The time limit of the first call has passed already, so that the call erases only the first window of readings.
  expect(await eraseHistory(a.portal.pool, erased, a.fleet.clock, 0)).toBe(false);
  expect(await eraseHistory(a.portal.pool, erased, a.fleet.clock, performance.now() + 60_000)).toBe(true);
  const keys = await rows(
    `select key from object where logger_serial = $1 and key in ('then', 'since')`,
    logger,
  );
  expect(keys).toEqual([{ key: 'since' }]);
  const [first] = await storedRows(a.portal.pool, id, ['time']);
  expect(first?.time).toEqual(new Date(SOLD));
});

test('days that are computed while a period is erased do not bring its figures back (55.43)', async () => {
  const { pool } = a.portal;
  const sold = await worked('P-9', START);
  const [{ seller }] = await rows(
    'select organization_id as seller from ownership where stream_id = $1',
    sold,
  );
  await moveStream(pool, sold, koper, new Date(SOLD));
  await computeUntilUpToDate(pool, sold);
  const ofSeller = 'from day_figures where stream_id = $1 and organization_id = $2';
  await rows(`create table counted as select * ${ofSeller}`.replace('$1', `${sold}`).replace('$2', seller));
  const period = { streamId: sold, organizationId: seller, from: Number.NEGATIVE_INFINITY, to: SOLD };
  const erase = () => eraseHistory(pool, period, a.fleet.clock, performance.now() + 60_000);
  expect(await erase()).toBe(true);
  const waiting = async () =>
    (
      await rows(
        `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where a.datname = current_database() and not l.granted`,
      )
    ).length;
  let erased: Promise<boolean> | undefined;
  await inTransaction(pool, async (client) => {
    // Locks the cursor, as a computation does that has read the data before the erasure.
    await client.query('select from day_cursor where stream_id = $1 for update', [sold]);
    await client.query('insert into day_figures select * from counted');
    erased = erase();
    await expect.poll(waiting).toBe(1);
  });
  expect(await erased).toBe(true);
  expect(await rows(`select day ${ofSeller}`, sold, seller)).toEqual([]);
});
