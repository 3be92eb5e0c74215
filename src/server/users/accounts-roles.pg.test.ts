import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

/** Who calls, by the cookie that they have. */
type Who = 'nobody' | 'user' | 'logger user' | 'administrator' | 'disabled' | 'deleted';

let portal: TestPortal;
const cookies: Partial<Record<Who, string>> = {};
beforeAll(async () => {
  portal = await testPortal({ ALLOWED_ORIGINS: 'https://app.example.nl' });
  await portal.user('beheer@portaal.nl', await portal.organization('admin'));
  await portal.user('user@klant.nl', await portal.organization('klant'));
  await portal.user('logger@spoor.nl', await portal.organization('spoor', { isBerende: true }));
  await portal.user('deleted@klant.nl', await portal.organization('ander'));
  await portal.user('disabled@dicht.nl', await portal.organization('dicht'));
  cookies.user = await portal.login('user@klant.nl');
  cookies['logger user'] = await portal.login('logger@spoor.nl');
  cookies.administrator = await portal.login('beheer@portaal.nl');
  cookies.deleted = await portal.login('deleted@klant.nl');
  cookies.disabled = await portal.login('disabled@dicht.nl');
  await portal.pool.query(`update organization set is_active = false where name = 'dicht'`);
  await portal.pool.query(`delete from account where email = 'deleted@klant.nl'`);
});
afterAll(() => portal.close());

const ADMIN_CALLS: readonly (readonly ['GET' | 'POST' | 'DELETE', string, object?])[] = [
  ['GET', '/api/organization/create?name=nieuw&clean=Nieuw&isBerende=false'],
  ['GET', '/api/organization/disable/?name=ander&isActive=false'],
  ['DELETE', '/api/organization/delete/?name=ander'],
  ['GET', '/api/user/get'],
  ['POST', '/api/user/organization', { email: 'user@klant.nl', organization: 'admin' }],
  ['DELETE', '/api/user/delete?email=user@klant.nl'],
];
const LISTS = ['/api/organization/get', '/api/organization/get/electric', '/api/organization/get/berende'];

const send = (who: Who, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, headers = {}) =>
  portal.app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: { ...(cookies[who] && { cookie: cookies[who] }), ...headers },
  });
const snapshot = async () =>
  (
    await portal.pool.query(
      `select (select json_agg(o order by id) from organization o) as organizations,
         (select json_agg(a order by id) from account a) as accounts, (select count(*) from audit) as audits`,
    )
  ).rows[0];

let before: unknown;
beforeEach(async () => {
  before = await snapshot();
});

test.each(
  ADMIN_CALLS.flatMap(([method, url, body]) =>
    (
      [
        ['nobody', 401],
        ['user', 403],
        ['logger user', 403],
        ['disabled', 401],
        ['deleted', 401],
      ] as const
    ).map(([who, status]) => ({ who, method, url, body, status })),
  ),
)(
  'API-02 $method $url by $who answers $status and changes nothing',
  async ({ who, method, url, body, status }) => {
    const answer = await send(who, method, url, body);
    expect(answer.statusCode).toBe(status);
    expect(Object.keys(answer.json()).sort()).toEqual(['code', 'message']);
    expect(await snapshot()).toEqual(before);
  },
);

test.each(
  ADMIN_CALLS.filter(([, url]) => url !== '/api/user/get').map(([method, url, body]) => ({
    method,
    url,
    body,
  })),
)(
  'API-04 $method $url from another site is refused, also to an administrator',
  async ({ method, url, body }) => {
    const answer = await send('administrator', method, url, body, { 'sec-fetch-site': 'cross-site' });
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(await snapshot()).toEqual(before);
  },
);

test.each(LISTS.flatMap((url) => (['nobody', 'disabled', 'deleted'] as const).map((who) => ({ url, who }))))(
  'API-02 GET $url by $who answers 401',
  async ({ url, who }) => {
    expect((await send(who, 'GET', url)).statusCode).toBe(401);
  },
);

const ALL = ['admin', 'ander', 'dicht', 'klant', 'spoor'];
test.each<[Who, string, string[]]>([
  ['administrator', '', ALL],
  ['administrator', '/electric', ALL.filter((name) => name !== 'spoor')],
  ['administrator', '/berende', ['spoor']],
  ['user', '', ['klant']],
  ['user', '/electric', ['klant']],
  ['user', '/berende', []],
  ['logger user', '', ['spoor']],
  ['logger user', '/electric', []],
  ['logger user', '/berende', ['spoor']],
])('ORG-01 MEDIT-02 LOG-02 what a %s sees of organizations%s', async (who, kind, names) => {
  // A parameter cannot widen it.
  const answer = await send(who, 'GET', `/api/organization/get${kind}?organization=admin&machineOrg=admin`);
  expect(answer.statusCode).toBe(200);
  expect(answer.json().map(({ name }: { name: string }) => name)).toEqual(names);
});

test('API-04 a front end of ours at another origin may delete too; a stranger’s may not', async () => {
  const preflight = async (origin: string) =>
    (
      await portal.app.inject({
        method: 'OPTIONS',
        url: '/api/user/delete?email=user@klant.nl',
        headers: { origin, 'access-control-request-method': 'DELETE' },
      })
    ).headers;
  expect(await preflight('https://app.example.nl')).toMatchObject({
    'access-control-allow-origin': 'https://app.example.nl',
    'access-control-allow-methods': expect.stringContaining('DELETE'),
  });
  expect(await preflight('https://evil.example')).not.toHaveProperty('access-control-allow-origin');
});
