import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

type Who = 'user' | 'logger user' | 'administrator';

let portal: TestPortal;
const cookies: Partial<Record<Who, string>> = {};
beforeAll(async () => {
  portal = await testPortal({ ALLOWED_ORIGINS: 'https://app.example.nl' });
  await portal.user('beheer@portaal.nl', await portal.organization('admin'));
  await portal.user('user@klant.nl', await portal.organization('klant'));
  await portal.user('logger@spoor.nl', await portal.organization('spoor', { isLmbCustomer: true }));
  await portal.organization('ander');
  await portal.organization('dicht');
  cookies.user = await portal.login('user@klant.nl');
  cookies['logger user'] = await portal.login('logger@spoor.nl');
  cookies.administrator = await portal.login('beheer@portaal.nl');
  await portal.pool.query(`update organization set is_active = false where name = 'dicht'`);
});
afterAll(() => portal.close());

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
])(
  'the list of organizations has those that the %s may see%s (ORG-01, MEDIT-02, LOG-02)',
  async (who, kind, names) => {
    // These two parameters name the organization `admin`, but they have no effect on the answer.
    const url = `/api/organization/get${kind}?organization=admin&machineOrg=admin`;
    const answer = await portal.get(url, cookies[who]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().map(({ name }: { name: string }) => name)).toEqual(names);
  },
);

test('CORS allows DELETE from an origin in ALLOWED_ORIGINS, and from no other origin (API-04)', async () => {
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
