import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  // The organization `admin` must exist, because every change of people takes a lock on it.
  for (const name of ['admin', 'klant', 'elders']) await portal.organization(name);
});
afterAll(() => portal.close());

const ROUNDS = 20;
type Way = (email: string, own: string) => { method: 'DELETE' | 'POST'; url: string; payload?: object };
const DELETES: Way = (email) => ({ method: 'DELETE', url: `/api/user/delete?email=${email}` });
const DEMOTES =
  (role: string): Way =>
  (email) => ({ method: 'POST', url: '/api/user/role', payload: { email, role } });
/**
 * Returns the request with which a person takes another role. If two people did this at the same time without a lock, each change would
 * count the other person as the one who keeps the role.
 */
const STEPS_DOWN =
  (role: string): Way =>
  (_, own) => ({ method: 'POST', url: '/api/user/role', payload: { email: own, role } });
const MOVES: Way = (email) => ({
  method: 'POST',
  url: '/api/user/organization',
  payload: { email, organization: 'elders' },
});
const LEAVES: Way = () => ({ method: 'DELETE', url: '/api/account' });

test.each([
  ['beheerders', 'klant', 'beheerder', [DELETES, DELETES]],
  ['beheerders', 'klant', 'beheerder', [DEMOTES('kijker'), DEMOTES('kijker')]],
  ['beheerders', 'klant', 'beheerder', [DELETES, DEMOTES('gebruiker')]],
  ['beheerders', 'klant', 'beheerder', [LEAVES, LEAVES]],
  ['beheerders', 'klant', 'beheerder', [DELETES, LEAVES]],
  ['beheerders', 'klant', 'beheerder', [STEPS_DOWN('kijker'), STEPS_DOWN('kijker')]],
  ['administrators', 'admin', 'administrator', [DELETES, DELETES]],
  ['administrators', 'admin', 'administrator', [DEMOTES('technicus'), MOVES]],
  ['administrators', 'admin', 'administrator', [LEAVES, LEAVES]],
  ['administrators', 'admin', 'administrator', [STEPS_DOWN('technicus'), LEAVES]],
] as const)(
  'when two %s of %s remove each other or leave at the same time, one %s remains in 20 rounds out of 20 (%#) (USER-01)',
  async (_, organization, role, ways) => {
    const { rows: found } = await portal.pool.query<{ id: number }>(
      'select id from organization where name = $1',
      [organization],
    );
    const id = found[0]?.id as number;
    for (let round = 0; round < ROUNDS; round++) {
      await portal.pool.query('delete from account where organization_id = $1', [id]);
      const people = [`een${round}@${organization}.nl`, `twee${round}@${organization}.nl`] as const;
      // The last person of an organization may leave it, even a beheerder. A third person, who has a lower role, rules out that exception.
      await portal.user(`drie${round}@${organization}.nl`, id, role === 'beheerder' ? 'kijker' : 'technicus');
      for (const email of people) await portal.user(email, id, role);
      const cookies = await Promise.all(people.map((email) => portal.login(email)));
      const answers = await Promise.all(
        ways.map((way, n) =>
          portal.app.inject({
            ...way(people[1 - n] as string, people[n] as string),
            headers: { cookie: cookies[n] as string },
          }),
        ),
      );
      const { rows } = await portal.pool.query(
        'select email from account where organization_id = $1 and role = $2',
        [id, role],
      );
      const statuses = answers.map(({ statusCode }) => statusCode).sort();
      expect([round, rows.length, statuses[0]]).toEqual([round, 1, 200]);
      expect([401, 404, 409]).toContain(statuses[1]);
    }
  },
);

test('the last beheerder with a confirmed address cannot give up the role, even if a beheerder with an unconfirmed address remains (41.2)', async () => {
  const { rows } = await portal.pool.query<{ id: number }>(
    `select id from organization where name = 'klant'`,
  );
  const id = rows[0]?.id as number;
  await portal.pool.query('delete from account where organization_id = $1', [id]);
  await portal.user('echt@klant.nl', id, 'beheerder');
  await portal.user('onbevestigd@klant.nl', id, 'beheerder');
  const confirm = (is: string) =>
    portal.pool.query(
      `update account set must_confirm = true, confirmed_at = ${is} where email = 'onbevestigd@klant.nl'`,
    );
  await confirm('null');
  const cookie = await portal.login('echt@klant.nl');
  const stepDown = async () =>
    (
      await portal.app.inject({
        ...STEPS_DOWN('kijker')('', 'echt@klant.nl'),
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      })
    ).statusCode;
  expect(await stepDown()).toBe(409);
  await confirm('now()');
  expect(await stepDown()).toBe(200);
});

test('an unconfirmed beheerder may leave while a confirmed one remains (41.2)', async () => {
  const { rows } = await portal.pool.query<{ id: number }>(
    `select id from organization where name = 'klant'`,
  );
  const id = rows[0]?.id as number;
  await portal.pool.query('delete from account where organization_id = $1', [id]);
  await portal.user('blijft@klant.nl', id, 'beheerder');
  await portal.user('vertrekt@klant.nl', id, 'beheerder');
  await portal.pool.query(
    `update account set must_confirm = true, confirmed_at = null where email = 'vertrekt@klant.nl'`,
  );
  const cookie = await portal.login('vertrekt@klant.nl');
  const left = await portal.app.inject({ ...LEAVES('', ''), headers: { cookie } });
  expect(left.statusCode).toBe(200);
});
