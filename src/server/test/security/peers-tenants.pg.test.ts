import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { PASSWORD } from '#server/test/portal.ts';

/**
 * Tests for vulnerabilities that comparable products had in roles and their withdrawal (docs/security.md). The tests in principals/ check
 * who sees what.
 */
let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('ander');
});
afterAll(() => a.close());

const code = async (name: string): Promise<string> =>
  (await a.portal.pool.query('select code from organization where name = $1', [name])).rows[0].code;

test('peers: mass assignment (CVE-2022-45608): extra fields in a form give no extra rights (AUTH-08, API-02)', async () => {
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
    role: 'gebruiker',
    seesRoutes: true,
    name: null,
    isConfirmed: false,
    mustConfirm: true,
    hasNoMailServer: true,
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

test('peers: stale authorization (traccar 2026-08): a moved, deleted or disabled account loses access within 5 s, even directly after a served request (API-02, AUTH-10)', async () => {
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
    expect((await portal.get('/api/auth/validate-token', cookie)).json()).toMatchObject({
      isAuthenticated: false,
    });
  }
});
