import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { releaseJobsOfKilledProcess, startKillableProcess } from '#server/mail/test/killed-process.ts';
import { countStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import { runUpkeep } from './test/run-upkeep.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('koper');
});
afterAll(() => a.close());

const MINUTE = 60_000;
const rows = async (sql: string, ...values: unknown[]) => (await a.portal.pool.query(sql, values)).rows;

/** Creates a machine with a logger, and readings of the last ten hours. */
async function machine(serial: string, bedrijf: string): Promise<number> {
  await a.machine(serial, { bedrijf });
  await a.upload(serial, BATTERY_DBC);
  await a.call('GET /api/machine/config/create', { query: { serienummer: serial } });
  const logger = await a.loggerOf(serial);
  await a.portal.pool.query(`update writer set valid_from = '-infinity' where stream_id = $1`, [
    logger.streamId,
  ]);
  await a.portal.untilNotified();
  for (let minutes = 600; minutes > 0; minutes -= 5)
    await a.fleet.snapshot(logger, {
      GMT_UNIX: Math.floor(a.fleet.clock / 1000) - 60 * minutes,
      Soc1: 50,
      MotorSpeed: 900,
      LATITUDE: 52,
      LONGITUDE: 5,
    });
  return logger.streamId;
}

async function sell(serial: string, from: string, to: string): Promise<void> {
  expect(await a.sell(serial, to, { from })).toMatchObject({ status: 200 });
}

/**
 * Creates a customer with people, a project, a machine of its own, one that it sold and one that it bought.
 * @returns ids of the machines
 */
async function customer(name: string): Promise<number[]> {
  const id = await a.portal.organization(name);
  await a.portal.user(`baas@${name}.nl`, id, 'beheerder');
  await a.portal.pool.query(
    `insert into project (organization_id, name, areas, first_day) values ($1, 'Werk', '[]'::jsonb, '2026-01-01')`,
    [id],
  );
  const own = await machine(`${name}-eigen`, name);
  const sold = await machine(`${name}-verkocht`, name);
  const bought = await machine(`${name}-gekocht`, 'koper');
  a.fleet.clock += MINUTE;
  await sell(`${name}-verkocht`, name, 'koper');
  await sell(`${name}-gekocht`, 'koper', name);
  a.fleet.clock += MINUTE;
  return [own, sold, bought];
}

/** Begins the deletion of a customer without a grace period. */
const leave = (name: string) =>
  a.call('POST /api/organization/leave', { body: { name, confirm: `${name} BV`, isFinal: true } });

/** Returns the remains of a customer: the sentences about remaining rows in its audit row, the owners of its machines, and row counts. */
async function outcome(name: string, streamIds: readonly number[]) {
  const [removed] = await rows(
    `select data from audit where action = 'organization.delete' and subject = $1`,
    name,
  );
  const left = [];
  for (const id of streamIds)
    left.push({
      readings: await countStoredReadings(a.portal.pool, id),
      ...(
        await rows(
          `select array(select o.name from ownership w join organization o on o.id = w.organization_id where w.stream_id = $1
             order by w.valid_from) as owners,
           (select count(*)::int from rollup where stream_id = $1) as buckets,
           (select running_ms from erased_hours where stream_id = $1) as erased, (select total_running_ms from latest where stream_id = $1) as meter,
           (select total_count from latest where stream_id = $1) as count, (select count(*)::int from object o where exists (
             select from writer w where w.stream_id = $1 and w.logger_serial = o.logger_serial)) as objects`,
          id,
        )
      )[0],
    });
  return { remains: removed?.data.remains, left };
}

/** Operations on tables, in the order of a removal, at which a process is killed. */
const POINTS = [
  ['update', 'leaving'],
  ['insert', 'ownership'],
  ['insert', 'erased_period'],
  ['delete', 'writer'],
  ['insert', 'erased_hours'],
  ['update', 'erased_hours'],
  ['delete', 'logger_event'],
  ['delete', 'maintenance_plan'],
  ['update', 'erased_period'],
  ['delete', 'rollup'],
  ['delete', 'stream'],
  ['update', 'ownership'],
  ['delete', 'account'],
  ['insert', 'audit'],
] as const;
const PAUSE = 7_000_001;

async function waiting(client: pg.PoolClient): Promise<number> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and not granted and classid = 0 and objid = $1`,
    [PAUSE],
  );
  return rowCount ?? 0;
}

test('a portal that is killed at any step of the removal of a customer completes it after the restart, and the scan for remaining data has the same result as without the kill (55.45)', async () => {
  const whole = await customer('heel');
  await leave('heel');
  await runUpkeep(a.portal.pool, a.fleet.clock);
  const expected = await outcome('heel', whole);
  expect(expected.remains).toHaveLength(2);
  expect(expected.left.map((one) => Number(one?.erased ?? 0) > 0)).toEqual([false, true, false]);

  const killed = await customer('dood');
  await leave('dood');
  const { pool, connection } = a.portal;
  await pool.query(
    `create function pause() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${PAUSE}); return null; end $$`,
  );
  const client = await pool.connect();
  const struck: string[] = [];
  for (const [act, table] of POINTS) {
    await client.query('select pg_advisory_lock($1)', [PAUSE]);
    await client.query(
      `create trigger pause after ${act} on ${table} for each statement execute function pause()`,
    );
    const running = startKillableProcess(
      new URL('./test/leaving-process.ts', import.meta.url),
      { connection },
      String(a.fleet.clock),
    );
    await expect.poll(() => waiting(client), { timeout: 60_000, message: `${act} ${table}` }).toBe(1);
    struck.push(table);
    await running.kill();
    await client.query('select pg_advisory_unlock($1)', [PAUSE]);
    await releaseJobsOfKilledProcess({ pool });
    await client.query(`drop trigger pause on ${table}`);
  }
  client.release();
  expect(struck).toHaveLength(POINTS.length);
  startKillableProcess(
    new URL('./test/leaving-process.ts', import.meta.url),
    { connection },
    String(a.fleet.clock),
  );
  await expect
    .poll(async () => (await rows(`select from organization where name = 'dood'`)).length, {
      timeout: 60_000,
    })
    .toBe(0);
  expect(await outcome('dood', killed)).toEqual(expected);
});
