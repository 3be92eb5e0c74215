import { afterAll, beforeAll, expect, test } from 'vitest';
import { Administration, type Answer, formOf } from '#server/machines/test/administration.ts';
import { PASSWORD } from '#server/test/portal.ts';
import { api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';

/** Who sees and does what: what hit our peers (docs/security.md). */
let a: Administration;
/** Cookies. */
let user: string;
let stranger: string;
beforeAll(async () => {
  a = await Administration.open();
  user = a.fleet.cookie;
  await a.portal.user('x@ander.nl', await a.portal.organization('ander'));
  stranger = await a.portal.login('x@ander.nl');
  await a.machine('S-1', { alias: 'Geheime naam' });
});
afterAll(() => a.close());

const calls = Object.entries<Endpoint>(api);
const code = async (name: string): Promise<string> =>
  (await a.portal.pool.query('select code from organization where name = $1', [name])).rows[0].code;

/** Good input of a call about the machine `serial`. */
function inputFor(endpoint: Endpoint, serial: string): { query?: Record<string, string>; body?: object } {
  const values: Record<string, unknown> = {
    ...formOf(serial),
    ...Object.fromEntries(
      ['serialNumber', 'serial', 'serienummer', 'merk', 'machine_serial', 'loggerid'].map((name) => [
        name,
        serial,
      ]),
    ),
    ...{ start: '-1h', end: '-1m', influxserienummer: '4999999', email: 'a@klant.nl', organization: 'ander' },
    ...{
      name: 'klant',
      clean: 'Klant',
      kind: 'mobile',
      _id: 1,
      file: 'data:;base64,QQ==',
      machineOrg: 'klant',
    },
    ...{ mapping: { signals: [], keep: [] }, isActive: 'false' },
  };
  const pick = (schema: Endpoint['query']): Record<string, unknown> => {
    const shape = schema && 'shape' in schema ? (schema.shape as object) : {};
    return Object.fromEntries(
      Object.keys(shape).flatMap((name) => (name in values ? [[name, values[name]]] : [])),
    );
  };
  return {
    ...(endpoint.query && { query: pick(endpoint.query) as Record<string, string> }),
    ...(endpoint.body && { body: pick(endpoint.body) }),
  };
}
const ask = (key: string, endpoint: Endpoint, serial: string, as: string): Promise<Answer> =>
  a.call(
    key
      .replace(/:(serial\w*|id)/, serial)
      .replace(':hash', 'x')
      .replace(':token', 'x'),
    {
      as,
      ...inputFor(endpoint, serial),
    },
  );

test('API-02 API-03 peers: cross-tenant IDOR (CVE-2026-54641, CVE-2026-56784, CVE-2026-65009, CVE-2025-70340): another organization’s machine answers like one that never was, in every call', async () => {
  const about = calls.filter(
    ([key, { access, params, query, body }]) =>
      access === 'session' &&
      [params, query, body].some((part) => part !== undefined) &&
      !key.includes(':hash'),
  );
  expect(about.length).toBeGreaterThan(10);
  for (const [key, endpoint] of about) {
    const theirs = await ask(key, endpoint, 'S-1', stranger);
    const nobodys = await ask(key, endpoint, 'S-0', stranger);
    expect([key, theirs.status, theirs.text.replaceAll('S-1', 'S-0')]).toEqual([
      key,
      nobodys.status,
      nobodys.text,
    ]);
    expect(theirs.text).not.toContain('Geheime naam');
    // A `machineOrg` or `organization` that names the owner opens nothing; the right to it does.
    if (theirs.status === 404 && !key.includes('/img/') && !key.includes('/manual/'))
      expect([key, (await ask(key, endpoint, 'S-1', user)).status]).toEqual([key, 200]);
  }
});

test('API-02 peers: a read right that writes (CVE-2026-49439, CVE-2026-114661): a user gets 403 of every administrator’s call, and nothing changed', async () => {
  const before = await a.audited();
  const ofAdmin = calls.filter(([, { access }]) => access === 'admin');
  expect(ofAdmin.length).toBeGreaterThan(20);
  for (const [key, endpoint] of ofAdmin)
    expect([key, (await ask(key, endpoint, 'S-1', user)).status]).toEqual([key, 403]);
  expect(await a.audited()).toEqual(before);
});

test('API-02 MAIL-01 peers: notification hijack (CVE-2026-66013): nobody subscribes to, or asks about, a machine that is not theirs', async () => {
  for (const [key, given] of [
    ['POST /api/mail/subscribe', { body: { serialNumber: 'S-1' } }],
    ['GET /api/mail/subscription-status', { query: { serialNumber: 'S-1' } }],
  ] as const)
    expect([key, (await a.call(key, { as: stranger, ...given })).status]).toEqual([key, 404]);
  expect((await a.portal.pool.query('select from subscription')).rowCount).toBe(0);
});

test('AUTH-08 API-02 peers: mass assignment (CVE-2022-45608): what somebody adds to a form makes them nothing more', async () => {
  const extra = {
    organization: 'admin',
    organizationId: 1,
    organization_id: 1,
    isBerende: true,
    isAdmin: true,
    authority: 'SYS_ADMIN',
    role: 'admin',
    scope: { organizations: 'all' },
  };
  const register = (body: object) => a.call('POST /api/auth/register', { as: '', body });
  const account = { email: 'massa@klant.nl', password: PASSWORD, organizationCode: await code('klant') };
  expect((await register({ ...account, ...extra })).status).toBe(200);
  const signedIn = await a.call('POST /api/auth/login', { as: '', body: { ...account, ...extra } });
  expect(signedIn.json.user).toEqual({
    email: 'massa@klant.nl',
    organization: 'klant',
    cleanorg: 'klant BV',
    isBerende: false,
  });
  const prototype = `{"email":"p@klant.nl","password":"${PASSWORD}","organizationCode":"${account.organizationCode}","__proto__":{"organization":"admin"}}`;
  const poisoned = await a.portal.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    headers: { 'content-type': 'application/json' },
    payload: prototype,
  });
  expect(poisoned.statusCode).toBe(400);
  for (const organizationCode of [await code('admin'), 'admin'])
    expect((await register({ ...account, email: 'q@klant.nl', organizationCode })).status).toBe(400);
  const { rows } = await a.portal.pool.query(
    `select email from account a join organization o on o.id = a.organization_id where o.name = 'admin'`,
  );
  expect(rows).toEqual([{ email: 'admin@portaal.nl' }]);
});

test('API-02 AUTH-10 peers: stale authorization (traccar 2026-08): who was moved, deleted or disabled has nothing within 5 s, though just served', async () => {
  const { portal } = a;
  const dicht = await portal.organization('dicht');
  for (const [email, change] of [
    ['weg@klant.nl', (email: string) => portal.pool.query('delete from account where email = $1', [email])],
    [
      'verhuisd@klant.nl',
      (email: string) => a.call('POST /api/user/organization', { body: { email, organization: 'ander' } }),
    ],
    [
      'dicht@klant.nl',
      () => a.call('GET /api/organization/disable/', { query: { name: 'dicht', isActive: 'false' } }),
    ],
  ] as const) {
    await portal.user(email, email.startsWith('dicht') ? dicht : a.fleet.organization);
    const cookie = await portal.login(email);
    expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
    await change(email);
    await expect
      .poll(async () => (await portal.get('/api/live', cookie)).statusCode, { timeout: 5_000, interval: 50 })
      .toBe(401);
    expect((await portal.get('/api/auth/validate-token', cookie)).json()).toEqual({ isAuthenticated: false });
  }
});
