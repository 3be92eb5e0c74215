import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { GRACE_DAYS, runUpkeep as runUpkeepAt } from './test/run-upkeep.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const DAY = 86_400_000;
const preview = (name: string) => a.call('GET /api/organization/leave', { query: { name } });
const leave = (name: string, more: Record<string, unknown> = {}) =>
  a.call('POST /api/organization/leave', { body: { name, confirm: `${name} BV`, isFinal: false, ...more } });
const undo = (name: string) => a.call('POST /api/organization/leave/undo', { body: { name } });
const leavingNow = async () => (await a.call('GET /api/organization/leaving')).json;
const seconds = () => Math.floor(a.fleet.clock / 1000);

const runUpkeep = (days = 0) => runUpkeepAt(a.portal.pool, a.fleet.clock + days * DAY);

/** Creates a machine with a logger, which has a key. */
async function equipped(serial: string, bedrijf: string) {
  await a.machine(serial, { bedrijf });
  await a.upload(serial, BATTERY_DBC);
  await a.call('GET /api/machine/config/create', { query: { serienummer: serial } });
  return a.loggerOf(serial);
}

/** Creates a customer with a beheerder, and a machine whose logger has uploaded. */
async function customer(name: string, serial: string) {
  const id = await a.portal.organization(name);
  await a.portal.user(`baas@${name}.nl`, id, 'beheerder');
  const logger = await equipped(serial, name);
  await a.fleet.snapshot(logger, { GMT_UNIX: seconds(), Soc1: 50, MotorSpeed: 900 });
  return { id, logger, serial, cookie: await a.portal.login(`baas@${name}.nl`) };
}

const rows = async (sql: string, ...values: unknown[]) => (await a.portal.pool.query(sql, values)).rows;
const countOf = async (sql: string, ...values: unknown[]) =>
  (await rows(`select count(*)::int as n from ${sql}`, ...values))[0].n;

const NOTHING_LEFT = [
  expect.stringMatching(/^logboek: \d+ regels, elk tot het 400 dagen oud is$/),
  'back-ups van voor vandaag: tot die worden weggegooid',
];
/** Returns the sentences about remaining rows of a deleted organization, from the audit row of its deletion. */
const remainsOf = async (name: string) =>
  (await rows(`select data from audit where action = 'organization.delete' and subject = $1`, name))[0]?.data
    .remains;

describe('deleting a customer (55.42)', () => {
  test('the preview of a deletion says what is deleted and when, changes nothing, and is rejected for the administrators’ organization', async () => {
    const { cookie, id } = await customer('vooraf', 'V-1');
    await a.call('POST /api/mail/subscribe', { body: { serialNumber: 'V-1' }, as: cookie });
    await a.portal.pool.query(
      `insert into project (organization_id, name, areas, first_day) values ($1, 'Werk', '[]'::jsonb, '2026-01-01')`,
      [id],
    );
    const { status, json } = await preview('vooraf');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: 'vooraf',
      clean: 'vooraf BV',
      counts: {
        machines: 1,
        lmbLoggers: 0,
        shared: 0,
        sold: 0,
        readings: 1,
        people: 1,
        projects: 1,
        subscriptions: 1,
      },
    });
    expect(Date.parse(json.removeFrom)).toBe(a.fleet.clock + GRACE_DAYS * DAY);
    expect(await leavingNow()).toEqual([]);
    for (const answer of [await preview('admin'), await leave('admin')])
      expect([answer.status, answer.message]).toEqual([
        409,
        'De organisatie van de beheerders kan niet worden verwijderd.',
      ]);
    const wrong = await leave('vooraf', { confirm: 'vooraf' });
    expect([wrong.status, wrong.message]).toEqual([400, 'Typ de naam precies zo: vooraf BV.']);
    expect((await a.details('V-1')).status).toBe(200);
  });

  test('deleting a customer ends its people’s sessions and its loggers’ uploads at once, and the customer can get no machine or person any more', async () => {
    const { logger, cookie } = await customer('weg', 'W-1');
    expect((await leave('weg')).status).toBe(200);
    await a.portal.untilNotified();
    expect((await a.call('GET /api/machine/get/all', { as: cookie })).status).toBe(401);
    await expect.poll(() => a.fleet.putStatus(logger, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    expect((await a.details('W-1')).status).toBe(404);
    const GONE = 'Deze organisatie wordt verwijderd. Neem dat eerst terug.';
    for (const answer of [
      await a.create('W-2', { bedrijf: 'weg' }),
      await a.call('GET /api/organization/disable/', { query: { name: 'weg', isActive: 'true' } }),
      await a.call('POST /api/user/organization', { body: { email: 'a@klant.nl', organization: 'weg' } }),
    ])
      expect([answer.status, answer.message]).toEqual([409, GONE]);
    expect(await leavingNow()).toEqual([
      expect.objectContaining({ name: 'weg', clean: 'weg BV', isRemoving: false }),
    ]);
    await runUpkeep(GRACE_DAYS - 1);
    expect(await countOf('organization where name = $1', 'weg')).toBe(1);
  });

  test('two administrators who delete an organization at the same time delete it once', async () => {
    await customer('samen', 'S-1');
    const answers = await Promise.all([leave('samen'), leave('samen')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const entries = (await a.audited()).filter(
      ({ action, subject }) => action === 'machine.delete' && subject === 'S-1',
    );
    expect(entries).toHaveLength(1);
    await undo('samen');
  });

  test('undoing the deletion of a customer restores its people, machines, loggers and keys, and is rejected once the removal has begun', async () => {
    const { logger } = await customer('terug', 'T-1');
    a.fleet.clock += 60_000;
    await leave('terug');
    await expect.poll(() => a.fleet.putStatus(logger, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    a.fleet.clock += 60_000;
    expect(await undo('terug')).toMatchObject({ status: 200, message: 'De organisatie is terug.' });
    await a.portal.untilNotified();
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds(), Soc1: 51 });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
    await a.portal.login('baas@terug.nl');
    expect((await undo('terug')).status).toBe(409);
    await leave('terug');
    a.fleet.clock += GRACE_DAYS * DAY;
    expect((await undo('terug')).message).toBe(
      'De gegevens worden al verwijderd: dat is niet terug te nemen.',
    );
    a.fleet.clock -= GRACE_DAYS * DAY;
    await undo('terug');
  });

  test('after the grace period, or at once, only the audit log of a deleted customer remains, as a scan of every table confirms (55.66)', async () => {
    const { id, logger, cookie } = await customer('definitief', 'F-1');
    await a.call('POST /api/mail/subscribe', { body: { serialNumber: 'F-1' }, as: cookie });
    await a.portal.pool.query(
      `insert into pgboss.job (name, data) values ('mail', '{"to": "Baas@definitief.nl", "subject": "x", "text": "y"}')`,
    );
    const [{ account }] = await rows(`select id as account from account where email = 'baas@definitief.nl'`);
    await rows(
      `insert into unknown_key (access_key, folder) values ('AKWEG', 'klant_SN' || $1::text || '/log') returning 1`,
      logger.loggerSerial,
    );
    const answer = await leave('definitief', { isFinal: true });
    expect(answer.message).toMatch(/^De organisatie wordt nu verwijderd/);
    await runUpkeep();
    expect(await countOf('organization where id = $1', id)).toBe(0);
    expect(await countOf('account where id = $1', account)).toBe(0);
    for (const table of ['reading', 'reading_file', 'rollup', 'latest', 'ownership', 'machine', 'writer'])
      expect([table, await countOf(`${table} where stream_id = $1`, logger.streamId)]).toEqual([table, 0]);
    expect(
      await countOf(
        `pgboss.job where name = 'mail' and data ->> 'to' ilike 'baas@definitief.nl' and state < 'active'`,
      ),
    ).toBe(0);
    const [row] = await rows(
      `select a.email as actor, x.organization_id, x.data from audit x join account a on a.id = x.actor_id
       where x.action = 'organization.delete' and x.subject = 'definitief'`,
    );
    // The audit row says that 'Direct definitief' was chosen, and names the administrator (55.66).
    expect(row).toMatchObject({
      actor: expect.stringContaining('@'),
      organizationId: null,
      data: { clean: 'definitief BV', isFinal: true, remains: NOTHING_LEFT },
    });
    // The record of a refused upload, which names the folder of the customer's machine, is deleted too (55.69).
    expect(await countOf('unknown_key where folder like $1', `%_SN${logger.loggerSerial}%`)).toBe(0);
    expect(await leavingNow()).not.toContainEqual(expect.objectContaining({ name: 'definitief' }));
    await runUpkeep();
  });

  test('a machine that a deleted customer sold stays with its buyer, and one that it bought keeps its earlier history', async () => {
    const koper = await a.portal.organization('koper');
    const { id, logger } = await customer('verkoper', 'K-1');
    const bought = await equipped('K-2', 'koper');
    await a.fleet.snapshot(bought, { GMT_UNIX: seconds(), Soc1: 30 });
    a.fleet.clock += 5 * 60_000;
    expect((await a.sell('K-1', 'koper', { from: 'verkoper' })).status).toBe(200);
    expect((await a.sell('K-2', 'verkoper', { from: 'koper' })).status).toBe(200);
    await a.call('POST /api/machine/writer/key', { body: { serial: 'K-1' } });
    await a.call('POST /api/machine/writer/key', { body: { serial: 'K-2' } });
    a.fleet.clock += 60_000;
    const [rebound, own] = [await a.loggerOf('K-1'), await a.loggerOf('K-2')];
    await a.fleet.snapshot(rebound, { GMT_UNIX: seconds(), Soc1: 60 });
    await a.fleet.snapshot(own, { GMT_UNIX: seconds(), Soc1: 61 });
    expect((await preview('verkoper')).json.counts).toMatchObject({
      machines: 1,
      shared: 1,
      sold: 1,
      readings: 2,
    });
    await leave('verkoper', { isFinal: true });
    await expect.poll(() => a.fleet.putStatus(own, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    await runUpkeep();
    expect(await countOf('organization where id = $1', id)).toBe(0);
    const soc = async (streamId: number) =>
      (await storedRows(a.portal.pool, streamId, ['soc1'])).map(({ soc1 }) => soc1);
    expect([await soc(logger.streamId), await soc(bought.streamId)]).toEqual([[60], [30]]);
    const owners = async (streamId: number) =>
      (
        await rows(
          `select o.name from ownership w join organization o on o.id = w.organization_id where stream_id = $1 order by valid_from`,
          streamId,
        )
      ).map(({ name }) => name);
    expect([await owners(logger.streamId), await owners(bought.streamId)]).toEqual([
      ['admin', 'koper'],
      ['koper', 'admin', 'admin'],
    ]);
    expect(await remainsOf('verkoper')).toEqual(NOTHING_LEFT);
    await a.fleet.snapshot(rebound, { GMT_UNIX: seconds() + 1, Soc1: 62 });
    expect(await soc(logger.streamId)).toEqual([60, 62]);
    expect(koper).toBeGreaterThan(0);
  });
});
