import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { continueOrganizationDeletions as goOn } from '#server/upkeep.ts';
import { GRACE_DAYS, LOG_DAYS, runUpkeep } from './test/run-upkeep.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());
// Resets the clock: a logger whose clock is far off is rejected.
beforeEach(() => {
  a.fleet.clock = Date.now();
});

const MINUTE = 60_000;
const rows = async (sql: string, ...values: unknown[]) => (await a.portal.pool.query(sql, values)).rows;
const countOf = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await rows(`select count(*)::int as n from ${sql}`, ...values))[0].n;
const seconds = (at = a.fleet.clock) => Math.floor(at / 1000);
const leave = (name: string, isFinal = true) =>
  a.call('POST /api/organization/leave', { body: { name, confirm: `${name} BV`, isFinal } });
const countsOf = async (name: string) =>
  (await a.call('GET /api/organization/leave', { query: { name } })).json.counts;
const remainsOf = async (name: string) =>
  (await rows(`select data from audit where action = 'organization.delete' and subject = $1`, name))[0]?.data
    .remains;
const NOTHING_LEFT = [
  expect.stringMatching(/^logboek: /),
  'back-ups van voor vandaag: tot die worden weggegooid',
];

/** Creates a machine with a logger, which has a key and has uploaded. */
async function machine(serial: string, bedrijf: string) {
  await a.machine(serial, { bedrijf });
  await a.upload(serial, BATTERY_DBC);
  await a.call('GET /api/machine/config/create', { query: { serienummer: serial } });
  const logger = await a.loggerOf(serial);
  await a.portal.untilNotified();
  await a.fleet.snapshot(logger, { GMT_UNIX: seconds(), Soc1: 50, MotorSpeed: 900 });
  return logger;
}

/** Advances the clock by a minute, and sells a machine halfway. */
async function sell(serial: string, from: string, to: string): Promise<void> {
  a.fleet.clock += MINUTE / 2;
  expect(await a.sell(serial, to, { from })).toMatchObject({ status: 200 });
  a.fleet.clock += MINUTE / 2;
  await a.portal.untilNotified();
}

async function eraseOnly(serial: string): Promise<void> {
  const [period] = (await a.call('GET /api/machine/periods', { query: { serial } })).json;
  const erased = await a.call('POST /api/machine/periods/erase', { body: { serial, _id: period._id } });
  expect(erased.status).toBe(200);
}

describe('a customer that leaves, and machines that others have or had (55.45)', () => {
  test('undoing the deletion of a customer binds no logger to a machine that another organization bought in the meantime', async () => {
    for (const name of ['c1', 'a1', 'b1']) await a.portal.organization(name);
    const logger = await machine('O-1', 'c1');
    await sell('O-1', 'c1', 'a1');
    await leave('a1', false);
    await sell('O-1', 'a1', 'b1');
    expect((await a.call('POST /api/organization/leave/undo', { body: { name: 'a1' } })).message).toBe(
      'De organisatie is terug.',
    );
    expect(await countOf(`writer where stream_id = $1 and valid_to = 'infinity'`, logger.streamId)).toBe(0);
  });

  test('the counts for a leaving customer contain only files of its own period, and photo and manual stay with the machine', async () => {
    for (const name of ['a2', 'b2']) await a.portal.organization(name);
    const logger = await machine('O-2', 'a2');
    const file = (kind: string) =>
      a.portal.pool.query(
        `insert into machine_file (stream_id, kind, name, content_type, size, hash, body, created_at)
         values ($1, $2, 'x', 'image/jpeg', 1, 'x', 'x', $3)`,
        [logger.streamId, kind, new Date(a.fleet.clock)],
      );
    await file('manual'); // the manual moves with the machine
    await sell('O-2', 'a2', 'b2');
    await file('photo');
    await a.portal.pool.query(
      `insert into object (logger_serial, key, size, etag, content_type, modified_at, log_stored_at)
       values ($1, 'then', 1, '', '', $2, $2), ($1, 'now', 1, '', '', $3, $3)`,
      [logger.loggerSerial, new Date(a.fleet.clock - 0.8 * MINUTE), new Date(a.fleet.clock)],
    );
    expect(await countsOf('a2')).toMatchObject({ photos: 0, manuals: 0, logFiles: 1, sold: 1 });
    expect(await countsOf('b2')).toMatchObject({
      photos: 1,
      manuals: 0,
      logFiles: 1,
      machines: 1,
      shared: 1,
    });
    const files = async () =>
      (await rows('select kind from machine_file where stream_id = $1 order by 1', logger.streamId)).map(
        ({ kind }) => kind,
      );
    await eraseOnly('O-2');
    await runUpkeep(a.portal.pool, a.fleet.clock);
    expect(await files()).toEqual(['manual', 'photo']);
    expect(await countsOf('a2')).toMatchObject({ logFiles: 0 });
  });

  test('a machine of two owners who both leave is deleted completely', async () => {
    for (const name of ['a3', 'b3']) await a.portal.organization(name);
    const { streamId } = await machine('O-3', 'a3');
    await sell('O-3', 'a3', 'b3');
    for (const name of ['a3', 'b3']) {
      await leave(name);
      await runUpkeep(a.portal.pool, a.fleet.clock);
      expect(await remainsOf(name)).toEqual(NOTHING_LEFT);
    }
    expect(await countOf('stream where id = $1', streamId)).toBe(0);
  });

  test('a deleted machine that a leaving customer bought keeps the former owner’s readings until its grace period ends', async () => {
    for (const name of ['c4', 'a4']) await a.portal.organization(name);
    const { streamId } = await machine('O-4', 'c4');
    await sell('O-4', 'c4', 'a4');
    expect((await a.call('DELETE /api/machine/delete', { query: { machine_serial: 'O-4' } })).status).toBe(
      200,
    );
    await leave('a4');
    await runUpkeep(a.portal.pool, a.fleet.clock);
    expect(await remainsOf('a4')).toEqual(NOTHING_LEFT);
    expect(await a.fleet.readingsOf(streamId)).toBe(1);
    expect(await countOf('stream where id = $1 and deleted_at is not null', streamId)).toBe(1);
  });

  test('queued mails to people and invited persons of a leaving customer are deleted at once, and sent mails together with the other data of the customer', async () => {
    const id = await a.portal.organization('a5');
    await a.portal.user('baas@a5.nl', id, 'beheerder');
    await a.portal.pool.query(
      `insert into invitation (organization_id, email, role, expires_at, token_hashes) values ($1, 'nieuw@a5.nl', 'gebruiker', now(), '{}')`,
      [id],
    );
    await a.portal.pool.query(
      `insert into pgboss.job (name, state, data, start_after) values
         ('mail', 'created', '{"to": "Baas@a5.nl"}', now() + interval '1 day'), ('mail', 'retry', '{"to": "nieuw@a5.nl"}', now() + interval '1 day'),
         ('mail', 'completed', '{"to": "baas@a5.nl"}', now()), ('mail', 'created', '{"to": "baas@elders.nl"}', now() + interval '1 day')`,
    );
    const mails = async () =>
      (
        await rows(
          `select data ->> 'to' as "to", state from pgboss.job where name = 'mail' and data ->> 'to' similar to '%@(a5|elders).nl' order by 1, 2`,
        )
      ).map(({ to, state }) => `${to} ${state}`);
    expect((await countsOf('a5')).mails).toBe(2);
    await leave('a5');
    expect(await mails()).toEqual(['baas@a5.nl completed', 'baas@elders.nl created']);
    await runUpkeep(a.portal.pool, a.fleet.clock);
    expect(await mails()).toEqual(['baas@elders.nl created']);
  });

  test('an organization whose removal fails does not block the removal of others', async () => {
    for (const name of ['a6', 'b6']) await a.portal.organization(name);
    await a.portal.pool.query(
      `create table holds as select id from organization where name = 'a6'; alter table holds add foreign key (id) references organization`,
    );
    await leave('a6');
    await leave('b6');
    const later = new Date(a.fleet.clock + MINUTE);
    await expect(goOn(a.portal.pool, later, GRACE_DAYS, LOG_DAYS)).rejects.toThrow('foreign key');
    expect(await countOf(`organization where name = 'b6'`)).toBe(0);
    await a.portal.pool.query('drop table holds');
    await goOn(a.portal.pool, later, GRACE_DAYS, LOG_DAYS);
    expect(await countOf(`organization where name = 'a6'`)).toBe(0);
  });
});

describe('an erased period of one owner (55.45)', () => {
  test('an erased period stays empty: erased readings are not restored, and later uploads of that time are not stored', async () => {
    for (const name of ['a7', 'b7']) await a.portal.organization(name);
    const logger = await machine('O-7', 'a7');
    const then = a.fleet.clock;
    await a.machine('O-8', { bedrijf: 'a7' });
    // The logger moves from machine O-7 to machine O-8 of the same owner, who then sells O-7.
    a.fleet.clock += MINUTE;
    await a.call('POST /api/machine/writer/release', { body: { serial: 'O-7' } });
    await a.bind('O-8', logger.loggerSerial);
    await a.upload('O-8', BATTERY_DBC);
    await a.call('GET /api/machine/config/create', { query: { serienummer: 'O-8' } });
    const moved = await a.loggerOf('O-8');
    await sell('O-7', 'a7', 'b7');
    const [{ id: erasure }] = await rows(
      `insert into erasure (stream_id, from_time, to_time, made_at, state) values ($1, $2, $3, now(), 'done') returning id`,
      logger.streamId,
      new Date(then - MINUTE),
      new Date(then + MINUTE),
    );
    await a.portal.pool.query(
      `insert into erased_reading (stream_id, time, erasure_id, signals) values ($1, $2, $3, '{"Soc1": 40}')`,
      [logger.streamId, new Date(then - 1000), erasure],
    );
    await eraseOnly('O-7');
    await runUpkeep(a.portal.pool, a.fleet.clock);
    expect(await countOf('erased_reading where stream_id = $1', logger.streamId)).toBe(0);
    expect(await countOf('erasure where stream_id = $1', logger.streamId)).toBe(0);
    await a.portal.untilNotified();
    expect(
      await a.fleet.putStatus(moved, 'snapshot.json', JSON.stringify({ GMT_UNIX: seconds(then), Soc1: 9 })),
    ).toBe(200);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(0);
  });

  test('erasing a period waits until no process serves its logger any more, and keeps the maintenance plans of a former owner that bought the machine back', async () => {
    for (const name of ['a9', 'b9']) await a.portal.organization(name);
    const { streamId } = await machine('O-9', 'a9');
    await sell('O-9', 'a9', 'b9');
    await sell('O-9', 'b9', 'a9');
    const [{ id }] = await rows(`select id from organization where name = 'a9'`);
    await a.portal.pool.query(
      `insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day) values ($1, $2, 'Keuring', 12, 0, '2026-01-01')`,
      [streamId, id],
    );
    await eraseOnly('O-9');
    await goOn(a.portal.pool, new Date(a.fleet.clock), GRACE_DAYS, LOG_DAYS);
    expect(await a.fleet.readingsOf(streamId)).toBe(1);
    await runUpkeep(a.portal.pool, a.fleet.clock);
    expect(await a.fleet.readingsOf(streamId)).toBe(0);
    expect(await countOf('maintenance_plan where stream_id = $1', streamId)).toBe(1);
  });
});
