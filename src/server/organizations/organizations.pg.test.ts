import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { createStream, moveStream } from '#server/streams/streams.store.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';

let portal: TestPortal;
let admin: string;
beforeAll(async () => {
  portal = await testPortal();
  await portal.user('beheer@portaal.nl', await portal.organization('admin'));
  admin = await portal.login('beheer@portaal.nl');
});
afterAll(() => portal.close());

const call = async (method: 'GET' | 'DELETE', path: string, query: Record<string, string>) => {
  const answer = await portal.app.inject({
    method,
    url: `/api/organization/${path}?${new URLSearchParams(query)}`,
    headers: { cookie: admin },
  });
  return { status: answer.statusCode, body: answer.json() };
};
/** Creates an organization. Its display name (`clean`) is by default made from `name`. */
const create = (query: Record<string, string>) =>
  call('GET', 'create', { clean: `Bedrijf ${query.name}`, ...query });
const disable = (query: Record<string, string>) => call('GET', 'disable/', query);
const remove = (name: string) => call('DELETE', 'delete/', { name });
const audited = async (subject: string) =>
  (
    await portal.pool.query(
      `select actor, action, data from ${AUDIT_ROWS_SQL} where subject = $1 order by id`,
      [subject],
    )
  ).rows;

test('a new organization has its own code and is audited (ORG-04)', async () => {
  const { status, body } = await create({ name: 'jansen', clean: ' Jansen  Bouw ', isBerende: 'true' });
  expect([status, body]).toEqual([
    200,
    {
      _id: expect.stringMatching(/^\d+$/),
      name: 'jansen',
      clean: 'Jansen Bouw',
      code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{12}$/),
      isActive: true,
      isBerende: true,
      registration: 'approval',
      hadAccount: false,
    },
  ]);
  const other = await create({ name: 'jansen-2', clean: 'Jansen Bouw 2' });
  expect(other.body).toMatchObject({ isBerende: false });
  expect(other.body.code).not.toBe(body.code);
  expect(await audited('jansen')).toEqual([
    {
      actor: 'beheer@portaal.nl',
      action: 'organization.create',
      data: { clean: 'Jansen Bouw', isBerende: true },
    },
  ]);
});

test.each([
  ['no name', { name: '' }],
  ['capitals', { name: 'Jansen' }],
  ['a blank', { name: 'jan sen' }],
  ['a hyphen at the end', { name: 'jansen-' }],
  ['one letter', { name: 'j' }],
  ['65 letters', { name: 'j'.repeat(65) }],
  ['a path', { name: '../x' }],
  ['NUL', { name: 'a\0b' }],
  ['half a pair of letters of admin', { name: '4dmin' }],
  ['admin with hyphens', { name: 'a-d-m-i-n' }],
  ['Admin as display name', { name: 'goed', clean: 'ADMIN' }],
  ['a Cyrillic look-alike as display name', { name: 'goed', clean: '\u0430dmin' }],
  ['no display name', { name: 'goed', clean: ' ' }],
  ['a display name of two lines', { name: 'goed', clean: 'a\nb' }],
  ['an endless display name', { name: 'goed', clean: 'x'.repeat(101) }],
  ['a flag that is none', { name: 'goed', isBerende: 'misschien' }],
])('creating %s is refused with 400 and stores nothing (API-03, ORG-04)', async (_, query) => {
  const { status, body } = await create(query);
  expect([status, body.code]).toEqual([400, 'invalid']);
  expect((await portal.pool.query(`select from organization where name = 'goed'`)).rowCount).toBe(0);
});

test('an existing name of an organization is refused, also when two requests come at the same time (ORG-04)', async () => {
  const both = await Promise.all([create({ name: 'samen' }), create({ name: 'samen' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { status, body } = await create({ name: 'samen' });
  expect([status, body]).toMatchObject([
    409,
    { code: 'conflict', message: 'Er is al een organisatie met deze functionele naam.' },
  ]);
  expect(await audited('samen')).toHaveLength(1);
});

test('disabling an organization ends its sessions and blocks sign-in, enabling it allows sign-in again, and each is audited (ORG-02)', async () => {
  await portal.user('aan@uit.nl', await portal.organization('aanuit'));
  const cookie = await portal.login('aan@uit.nl');
  const { body: off } = await disable({ name: 'aanuit', isActive: 'false' });
  expect(off.isActive).toBe(false);
  await expect
    .poll(async () => (await portal.get('/api/live', cookie)).statusCode, { timeout: 4_000 })
    .toBe(401);
  await expect(portal.login('aan@uit.nl')).rejects.toThrow('uitgeschakeld');
  expect((await disable({ name: 'aanuit', isActive: 'false' })).body.isActive).toBe(false);
  expect((await disable({ name: 'aanuit' })).body.isActive).toBe(true); // without isActive it toggles
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(401);
  await portal.login('aan@uit.nl');
  expect((await audited('aanuit')).map(({ action }) => action)).toEqual([
    'organization.disable',
    'organization.enable',
  ]);
});

test('people of a disabled organization read why they are signed out until the organization is enabled again, and strangers do not (ORG-02, 12.C7)', async () => {
  await portal.user('weet@waarom.nl', await portal.organization('waarom'));
  const cookie = await portal.login('weet@waarom.nl');
  const validated = async (given: string) => (await portal.get('/api/auth/validate-token', given)).json();
  await disable({ name: 'waarom', isActive: 'false' });
  await expect
    .poll(() => validated(cookie), { timeout: 6_000 })
    .toEqual({
      isAuthenticated: false,
      message: 'Je organisatie is uitgeschakeld, daarom kun je niet inloggen. Vraag je beheerder ernaar.',
    });
  expect(await validated(`${cookie}x`)).toEqual({ isAuthenticated: false });
  const login = async (email: string, password: string) =>
    (
      await portal.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
    ).json();
  const wrong = await login('weet@waarom.nl', 'fout wachtwoord');
  expect(wrong).toEqual(await login('niemand@waarom.nl', 'fout wachtwoord'));
  expect((await login('weet@waarom.nl', PASSWORD)).message).toMatch(/^Je organisatie is uitgeschakeld/);
  await disable({ name: 'waarom', isActive: 'true' });
  expect(await validated(cookie)).toEqual({ isAuthenticated: false });
});

test('the organization admin can be neither disabled nor deleted (ORG-02)', async () => {
  const before = (await portal.pool.query('select * from organization where name = $1', ['admin'])).rows;
  for (const query of [{ name: 'admin' }, { name: 'admin', isActive: 'false' }]) {
    expect((await disable(query)).status).toBe(409);
  }
  expect((await remove('admin')).status).toBe(409);
  expect((await portal.pool.query('select * from organization where name = $1', ['admin'])).rows).toEqual(
    before,
  );
  expect(await audited('admin')).toEqual([]);
});

test('changing an unknown organization returns 404 (API-03)', async () => {
  expect([(await disable({ name: 'geen' })).status, (await remove('geen')).status]).toEqual([404, 404]);
  expect((await disable({ name: '' })).status).toBe(400);
});

test('deleting an empty organization succeeds and is audited (ORG-03, API-05)', async () => {
  await portal.organization('leeg');
  expect(await remove('leeg')).toEqual({ status: 200, body: { message: 'De organisatie is verwijderd.' } });
  expect((await remove('leeg')).status).toBe(404);
  expect((await audited('leeg')).map(({ action }) => action)).toEqual(['organization.delete']);
});

test('deleting an organization that still has machines, loggers or people, present or former, is refused with a list of them (ORG-03, API-05, INGEST-06)', async () => {
  const id = await portal.organization('vol');
  const elsewhere = await portal.organization('elders');
  await portal.user('een@vol.nl', id);
  await portal.machine(id);
  await portal.machine(id);
  const deleted = await portal.machine(id);
  await portal.pool.query('update stream set deleted_at = now() where id = $1', [deleted]);
  const moved = await portal.machine(id);
  await inTransaction(portal.pool, (client) => moveStream(client, moved, elsewhere, new Date()));
  await inTransaction(portal.pool, (client) =>
    createStream(client, 'logger', { serial: 'L-1', alias: 'Logger', organizationId: id }),
  );
  expect(await remove('vol')).toEqual({
    status: 409,
    body: {
      code: 'conflict',
      message:
        'Deze organisatie kan niet worden verwijderd, want er hoort nog bij: 2 machines, 1 logger, 1 verwijderde machine of logger waarvan de gegevens nog bewaard worden, 1 machine of logger van vroeger, met de geschiedenis van die tijd en 1 gebruiker. Uitschakelen kan wel.',
    },
  });
  const { rows } = await portal.pool.query(
    'select count(*)::int as n from ownership where organization_id = $1',
    [id],
  );
  expect(rows[0].n).toBe(5);
  expect(await audited('vol')).toEqual([]);
});

test('deleting an organization is refused if a person registers in it at the same moment (ORG-03, API-05)', async () => {
  const id = await portal.organization('race');
  const client = await portal.pool.connect();
  await client.query('begin');
  await client.query(
    `insert into account (email, password_hash, organization_id) values ('r@race.nl', '', $1)`,
    [id],
  );
  const deleting = remove('race');
  await waitForLockWaits(portal.pool);
  await client.query('commit');
  client.release();
  const { status, body } = await deleting;
  expect([status, body.message]).toEqual([409, expect.stringContaining('1 gebruiker')]);
});

test.each([
  'Kraan Verhuur',
  'kraanverhuur',
  ' KRAAN  VERHUUR',
  'Kraàn-verhuur',
  'Kr\u0430an Verhuur',
  'Kraan Verhuur.',
])('a display name of another organization is refused in the spelling %j (13.2b)', async (clean) => {
  await portal.pool.query(
    `insert into organization (name, clean, code) values ('kraan', 'Kraan Verhuur', 'KRAAN') on conflict do nothing`,
  );
  const { status, body } = await create({ name: 'nabootser', clean });
  const message = 'Nette Bedrijfs Naam lijkt te veel op die van een andere organisatie: Kraan Verhuur.';
  expect([status, body]).toEqual([409, { code: 'conflict', message, faults: [{ field: 'clean', message }] }]);
  expect((await create({ name: 'nabootser', clean: 'Kraan Verhuur Zuid' })).status).toBe(200);
  // Projects without machines are deleted with the organization.
  await portal.pool.query(
    `insert into project (organization_id, name, first_day) select id, 'Kade', '2026-01-01' from organization where name = 'nabootser'`,
  );
  expect((await remove('nabootser')).status).toBe(200);
});

test('only one of two simultaneous organizations with names that look the same is created (13.2b)', async () => {
  const both = await Promise.all([
    create({ name: 'tegelijk-1', clean: 'Tegelijk' }),
    create({ name: 'tegelijk-2', clean: 'TEGELIJK' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("the administrators' display name and words of the portal's routes are refused as names of organizations (13.2b)", async () => {
  expect((await create({ name: 'doen-alsof', clean: 'Admin BV' })).status).toBe(409);
  const { status, body } = await create({ name: 'nieuw' });
  expect([status, body.message]).toEqual([400, "Functionele Bedrijfs Naam mag niet 'nieuw' zijn."]);
});
