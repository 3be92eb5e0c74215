import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';

let portal: TestPortal;
let klant: number;
let admin: string;
beforeAll(async () => {
  portal = await testPortal();
  await portal.user('Beheer@portaal.nl', await portal.organization('admin'));
  klant = await portal.organization('klant');
  await portal.organization('ander', { isLmbCustomer: true });
  await portal.user('Anna@klant.nl', klant);
  admin = await portal.login('beheer@portaal.nl');
});
afterAll(() => portal.close());

const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, cookie = admin) => {
  const answer = await portal.app.inject({ method, url, ...(payload && { payload }), headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
};
const remove = (email: string, cookie?: string) =>
  send('DELETE', `/api/user/delete?${new URLSearchParams({ email })}`, undefined, cookie);
const move = (email: string, organization: string, cookie?: string) =>
  send('POST', '/api/user/organization', { email, organization }, cookie);
const give = (email: string, role: string, cookie?: string) =>
  send('POST', '/api/user/role', { email, role }, cookie);
const audited = async (subject: string) =>
  (
    await portal.pool.query(
      `select actor, action, data || aside || changes as data from ${AUDIT_ROWS_SQL} where subject = $1 and action not like 'session.%' order by id`,
      [subject],
    )
  ).rows;
const isOver = (cookie: string) =>
  expect.poll(async () => (await portal.get('/api/live', cookie)).statusCode, { timeout: 4_000 }).toBe(401);
const last = (role: string) => ({
  status: 409,
  body: { code: 'conflict', message: `Dit is de laatste ${role}. Maak eerst iemand anders ${role}.` },
});

test('an administrator’s list of users has all users, and no secrets (USER-01)', async () => {
  expect(await send('GET', '/api/user/get')).toEqual({
    status: 200,
    body: [
      {
        _id: expect.any(String),
        email: 'Anna@klant.nl',
        name: null,
        organization: 'klant',
        cleanorg: 'klant BV',
        role: 'gebruiker',
        hasFactor: false,
        mustConfirm: false,
        limit: null,
      },
      {
        _id: expect.any(String),
        email: 'Beheer@portaal.nl',
        name: null,
        organization: 'admin',
        cleanorg: 'admin BV',
        role: 'administrator',
        hasFactor: false,
        mustConfirm: false,
        limit: null,
      },
    ],
  });
});

test('deleting a user ends their sessions and deletes what belongs to the account (USER-01, AUTH-10, API-05)', async () => {
  await portal.user('weg@klant.nl', klant);
  const cookie = await portal.login('weg@klant.nl');
  const { id } = (await portal.pool.query(`select id from account where email = 'weg@klant.nl'`)).rows[0];
  expect(await remove('WEG@klant.nl')).toEqual({
    status: 200,
    body: { message: 'De gebruiker is verwijderd.' },
  });
  await isOver(cookie);
  await expect(portal.login('weg@klant.nl')).rejects.toThrow('bad_credentials');
  expect((await remove('weg@klant.nl')).status).toBe(404);
  // The audit log no longer contains the address.
  const { rows } = await portal.pool.query(
    `select account_id, organization_id from audit where action = 'user.delete' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ accountId: id, organizationId: klant }]);
  expect(await audited(`account ${id}`)).toEqual([
    { actor: 'Beheer@portaal.nl', action: 'user.delete', data: { mayReturn: false } },
  ]);
});

test('a user who is moved to another organization has to sign in again, and is then in that organization (USER-01, AUTH-10)', async () => {
  await portal.user('gaat@klant.nl', klant);
  const cookie = await portal.login('gaat@klant.nl');
  expect(await move('Gaat@klant.nl', 'ander')).toEqual({
    status: 200,
    body: {
      _id: expect.any(String),
      email: 'gaat@klant.nl',
      name: null,
      organization: 'ander',
      cleanorg: 'ander BV',
      role: 'gebruiker',
      hasFactor: false,
      mustConfirm: false,
      limit: null,
    },
  });
  await isOver(cookie);
  const me = await portal.get('/api/auth/validate-token', await portal.login('gaat@klant.nl'));
  expect(me.json().user).toMatchObject({ organization: 'ander', isBerende: true });
  expect(await audited('gaat@klant.nl')).toEqual([
    { actor: 'Beheer@portaal.nl', action: 'user.leave', data: { movedTo: 'ander BV' } },
    { actor: 'Beheer@portaal.nl', action: 'user.arrive', data: { movedFrom: 'klant BV' } },
  ]);
});

test('moving a user to the organization in which the user already is changes nothing (USER-01)', async () => {
  await portal.user('blijft@klant.nl', klant);
  const cookie = await portal.login('blijft@klant.nl');
  expect((await move('blijft@klant.nl', 'klant')).status).toBe(200);
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
  expect(await audited('blijft@klant.nl')).toEqual([]);
});

test.each([
  ['an unknown user', 'niemand@klant.nl', 'ander', 404],
  ['an unknown organization', 'anna@klant.nl', 'geen', 404],
  ['admin in capitals', 'anna@klant.nl', 'ADMIN', 404],
  ['no organization', 'anna@klant.nl', '', 400],
  ['an organization with NUL', 'anna@klant.nl', 'a\0b', 400],
  ['an e-mail that is none', 'anna', 'ander', 400],
])('moving %s is refused (API-03)', async (_, email, organization, status) => {
  expect((await move(email, organization)).status).toBe(status);
  expect(await audited('Anna@klant.nl')).toEqual([]);
});

test('the last administrator can be neither deleted nor moved, and another person can become administrator (USER-01)', async () => {
  expect(await remove('beheer@portaal.nl')).toEqual(last('administrator'));
  expect(await move('beheer@portaal.nl', 'klant')).toEqual(last('administrator'));
  expect(await give('beheer@portaal.nl', 'technicus')).toEqual(last('administrator'));
  await portal.user('nieuw@portaal.nl', klant, 'beheerder');
  expect((await move('nieuw@portaal.nl', 'admin')).body).toMatchObject({
    organization: 'admin',
    role: 'technicus',
    hasFactor: false,
    mustConfirm: false,
    limit: null,
  });
  expect(await remove('beheer@portaal.nl')).toEqual(last('administrator'));
  expect((await give('nieuw@portaal.nl', 'administrator')).body.role).toBe('administrator');
  const second = await portal.login('nieuw@portaal.nl');
  expect((await send('GET', '/api/user/get', undefined, second)).status).toBe(200);
  expect((await move('nieuw@portaal.nl', 'klant')).status).toBe(200);
  await isOver(second);
});

test('when two administrators delete or move each other at the same time, one stays (USER-01)', async () => {
  const organization = (await portal.pool.query(`select id from organization where name = 'admin'`)).rows[0]
    .id;
  for (let round = 0; round < 5; round++) {
    const other = `ronde${round}@portaal.nl`;
    await portal.user(other, organization);
    const second = await portal.login(other);
    // Locks the table `audit`, so that both requests have begun and wait when they write their audit rows.
    const held = await portal.pool.connect();
    await held.query('begin; lock table audit in share mode');
    const calls = Promise.all([remove(other), move('beheer@portaal.nl', 'klant', second)]);
    await waitForLockWaits(portal.pool, 2);
    await held.query('commit');
    held.release();
    const both = await calls;
    const { rows } = await portal.pool.query('select email from account where organization_id = $1', [
      organization,
    ]);
    expect([round, rows.length]).toEqual([round, 1]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    // Restores the administrators, whichever request succeeded.
    await portal.pool.query(
      `update account set organization_id = $1, role = 'administrator' where email = 'Beheer@portaal.nl'`,
      [organization],
    );
    await portal.pool.query('delete from account where email = $1', [other]);
    admin = await portal.login('beheer@portaal.nl');
  }
});

test('only the first account that an organization ever has becomes beheerder automatically (13.1a)', async () => {
  const id = await portal.organization('vers');
  const { rows } = await portal.pool.query('select code from organization where id = $1', [id]);
  const join = async (email: string) => {
    const body = { email, password: 'kip met een hoed', organizationCode: rows[0].code };
    expect((await send('POST', '/api/auth/register', body)).status).toBe(200);
  };
  const roles = async () =>
    (
      await portal.pool.query('select role from account where organization_id = $1 order by id', [id])
    ).rows.map(({ role }) => role);
  await Promise.all([join('een@vers.nl'), join('twee@vers.nl'), join('drie@vers.nl')]);
  expect((await roles()).sort()).toEqual(['beheerder', 'gebruiker', 'gebruiker']);
  for (const name of ['een', 'twee', 'drie']) expect((await remove(`${name}@vers.nl`)).status).toBe(200);
  await join('vier@vers.nl');
  expect(await roles()).toEqual(['gebruiker']);
});

test('a beheerder sees and manages people of their own organization only, and gives only roles that exist there (13.1b)', async () => {
  const id = await portal.organization('ploeg');
  for (const [name, role] of [
    ['baas', 'beheerder'],
    ['jan', 'gebruiker'],
    ['kijk', 'kijker'],
  ] as const)
    await portal.user(`${name}@ploeg.nl`, id, role);
  const baas = await portal.login('baas@ploeg.nl');
  const list = await send('GET', '/api/user/get', undefined, baas);
  expect(list.body.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
    ['baas@ploeg.nl', 'beheerder'],
    ['jan@ploeg.nl', 'gebruiker'],
    ['kijk@ploeg.nl', 'kijker'],
  ]);
  const jan = await portal.login('jan@ploeg.nl');
  expect((await give('jan@ploeg.nl', 'beheerder', baas)).body).toMatchObject({ role: 'beheerder' });
  await isOver(jan);
  expect(await audited('jan@ploeg.nl')).toEqual([
    { actor: 'baas@ploeg.nl', action: 'user.role', data: { role: ['gebruiker', 'beheerder'] } },
  ]);
  expect((await give('jan@ploeg.nl', 'administrator', baas)).status).toBe(400);
  expect((await give('anna@klant.nl', 'kijker', baas)).status).toBe(404);
  expect((await remove('anna@klant.nl', baas)).status).toBe(404);
  expect((await move('jan@ploeg.nl', 'klant', baas)).status).toBe(403);
  expect((await remove('kijk@ploeg.nl', baas)).status).toBe(200);
});

test('the last beheerder cannot leave an organization that still has other people, and an administrator can remove the last beheerder (13.1c)', async () => {
  const id = await portal.organization('alleen');
  await portal.user('hoofd@alleen.nl', id, 'beheerder');
  await portal.user('lid@alleen.nl', id);
  const hoofd = await portal.login('hoofd@alleen.nl');
  expect(await give('hoofd@alleen.nl', 'kijker', hoofd)).toEqual(last('beheerder'));
  expect(await remove('hoofd@alleen.nl', hoofd)).toEqual(last('beheerder'));
  expect((await remove('lid@alleen.nl', hoofd)).status).toBe(200);
  expect((await remove('hoofd@alleen.nl', hoofd)).status).toBe(200);
});

test('a technicus manages machines of all organizations, and no people, organizations or codes (13.1d)', async () => {
  const organization = (await portal.pool.query(`select id from organization where name = 'admin'`)).rows[0]
    .id;
  await portal.user('tech@portaal.nl', organization, 'technicus');
  const tech = await portal.login('tech@portaal.nl');
  expect((await send('GET', '/api/machine/get/deleted', undefined, tech)).status).toBe(200);
  expect((await send('GET', '/api/user/get', undefined, tech)).status).toBe(403);
  expect((await remove('anna@klant.nl', tech)).status).toBe(403);
  const { body } = await send('GET', '/api/organization/get', undefined, tech);
  expect(body.length).toBeGreaterThan(3);
  expect(body.filter(({ code }: { code: string }) => code !== '')).toEqual([]);
});
