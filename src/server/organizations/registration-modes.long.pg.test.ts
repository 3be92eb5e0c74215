import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import type { Role } from '#shared/domain/access.ts';

let portal: TestPortal;
const cookies = new Map<Role, string>();
const cookieOf = (role: Role): string => cookies.get(role) ?? '';
beforeAll(async () => {
  portal = await testPortal();
  const klant = await portal.organization('klant');
  await portal.organization('ander');
  const admin = await portal.organization('admin');
  for (const role of ['administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker'] as const) {
    const email = `${role}@portaal.nl`;
    await portal.user(email, role === 'administrator' || role === 'technicus' ? admin : klant, role);
    cookies.set(role, await portal.login(email));
  }
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
});

const post = async (path: string, payload: object, role?: Role) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/${path}`,
    payload,
    headers: { 'x-requested-with': 'test', ...(role && { cookie: cookieOf(role) }) },
  });
  return { status: answer.statusCode, body: answer.json() };
};
/** Returns the stored code and registration mode of `klant`. */
const klant = async () =>
  (await portal.pool.query(`select code, registration from organization where name = 'klant'`)).rows[0];
const seenBy = async (role: Role) =>
  (await portal.get('/api/organization/get', cookieOf(role)))
    .json()
    .find(({ name }: { name: string }) => name === 'klant');
const setTo = (registration: string, role: Role = 'beheerder', name = 'klant') =>
  post('organization/registration', { name, registration }, role);
let newcomers = 0;
const register = (organizationCode: string) => {
  newcomers += 1;
  return post('auth/register', { email: `n${newcomers}@elders.nl`, password: PASSWORD, organizationCode });
};

test.each([
  ['code', { administrator: true, technicus: false, beheerder: true, gebruiker: true, kijker: false }],
  ['approval', { administrator: true, technicus: false, beheerder: true, gebruiker: true, kijker: false }],
  ['invitation', { administrator: true, technicus: false, beheerder: true, gebruiker: false, kijker: false }],
] as const)(
  'in the registration mode %s the code is shown to the roles that may see the code (13.2h)',
  async (registration, shown) => {
    expect((await setTo(registration)).status).toBe(200);
    const { code } = await klant();
    for (const [role, isShown] of Object.entries(shown) as [Role, boolean][])
      expect([role, await seenBy(role)]).toMatchObject([role, { code: isShown ? code : '', registration }]);
  },
);

test('a new registration mode decides how the registration code works from then on, and each change is audited (13.2h)', async () => {
  const { code } = await klant();
  await setTo('code');
  expect((await register(code)).body).toMatchObject({ waits: false });
  await setTo('approval', 'administrator');
  expect((await register(code)).body).toMatchObject({ waits: true });
  await setTo('invitation');
  expect((await register(code)).status).toBe(400);
  await setTo('invitation');
  await setTo('code');
  expect((await register(code)).body).toMatchObject({ waits: false });
  const { rows } = await portal.pool.query(
    `select b.email as actor, changes from audit x left join account b on b.id = x.actor_id
     where action = 'organization.registration' and subject = 'klant' order by x.id desc limit 3`,
  );
  expect(rows.reverse()).toEqual([
    {
      actor: 'administrator@portaal.nl',
      changes: { registration: ['code', 'approval'] },
    },
    { actor: 'beheerder@portaal.nl', changes: { registration: ['approval', 'invitation'] } },
    { actor: 'beheerder@portaal.nl', changes: { registration: ['invitation', 'code'] } },
  ]);
});

test.each(['beheerder', 'administrator'] as const)(
  'a %s renews the registration code: the former code stops working at once, and no log contains either code (13.2h)',
  async (role) => {
    const { code: before } = await klant();
    expect(await post('organization/code', { name: 'klant' }, role)).toEqual({
      status: 200,
      body: { message: 'De code is vernieuwd. De vorige werkt niet meer.' },
    });
    const { code } = await klant();
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{12}$/);
    expect(code).not.toBe(before);
    expect((await register(before)).status).toBe(400);
    expect((await register(code)).status).toBe(200);
    const { rows } = await portal.pool.query(`select to_json(a)::text as row from audit a`);
    for (const { row } of rows) expect(row).not.toContain(code);
  },
);

test('a registration while the code is renewed succeeds with the former code, or fails (13.2h)', async () => {
  const { code } = await klant();
  const client = await portal.pool.connect();
  await client.query('begin');
  await client.query(`update organization set code = 'ANDERECODE23' where name = 'klant'`);
  const registering = register(code);
  await waitForLockWaits(portal.pool);
  await client.query('commit');
  client.release();
  expect((await registering).status).toBe(400);
});

test.each([
  ['another organization by a beheerder', 'ander', 'beheerder', 404],
  ['an unknown one', 'geen', 'administrator', 404],
  ['admin', 'admin', 'administrator', 409],
  ['their own by a gebruiker', 'klant', 'gebruiker', 403],
] as const)('changing %s is refused (13.2h)', async (_, name, role, status) => {
  const before = (await portal.pool.query('select name, code, registration from organization order by 1'))
    .rows;
  expect((await post('organization/code', { name }, role)).status).toBe(status);
  expect((await setTo('invitation', role, name)).status).toBe(status);
  expect(
    (await portal.pool.query('select name, code, registration from organization order by 1')).rows,
  ).toEqual(before);
});

test('an unknown registration mode is refused (13.2h)', async () => {
  expect((await setTo('open')).status).toBe(400);
});
