import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
let beheerder: string;
let gebruiker: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  beheerder = await a.portal.login('baas@klant.nl');
  gebruiker = await a.portal.login('a@klant.nl');
  await a.portal.organization('ander');
});
afterAll(() => a.close());

const rename = (clean: string, { name = 'klant', as = a.admin } = {}) =>
  a.call('POST /api/organization/clean', { body: { name, clean }, as });
const cleanOf = async (name: string): Promise<string> =>
  (await a.portal.pool.query('select clean from organization where name = $1', [name])).rows[0].clean;

test("an administrator and the organization's own beheerder rename it, which is logged (55.46)", async () => {
  expect(await rename(' Kraanverhuur   De Boer ')).toMatchObject({
    status: 200,
    message: 'De organisatie heet nu Kraanverhuur De Boer.',
  });
  expect((await rename('kraanverhuur de boer', { as: beheerder })).status).toBe(200);
  expect(await cleanOf('klant')).toBe('kraanverhuur de boer');
  // Setting the present name again changes and logs nothing.
  expect((await rename('kraanverhuur de boer', { as: beheerder })).status).toBe(200);
  const { rows } = await a.portal.pool.query(
    `select b.email as actor, changes from audit x left join account b on b.id = x.actor_id
     where action = 'organization.rename' and subject = 'klant' order by x.id`,
  );
  expect(rows).toEqual([
    { actor: 'admin@portaal.nl', changes: { clean: ['klant BV', 'Kraanverhuur De Boer'] } },
    { actor: 'baas@klant.nl', changes: { clean: ['Kraanverhuur De Boer', 'kraanverhuur de boer'] } },
  ]);
});

test('the new name shows at once in the session, live data, and lists of machines, people and organizations (55.46)', async () => {
  await a.machine('R-1');
  const seen = async () => {
    await a.portal.untilNotified();
    const validated = await a.call('GET /api/auth/validate-token', { as: beheerder });
    const machines = await a.call('GET /api/machine/get/all', { as: beheerder });
    const people = await a.call('GET /api/user/get', { as: beheerder });
    const organizations = await a.call('GET /api/organization/get', { as: beheerder });
    return {
      session: validated.json.user.cleanorg,
      live: (await a.fleet.live('R-1'))?.metadata.cleanorg,
      machine: machines.json[0].cleanorg,
      person: people.json[0].cleanorg,
      organization: organizations.json[0].clean,
    };
  };
  const all = (name: string) => ({
    session: name,
    live: name,
    machine: name,
    person: name,
    organization: name,
  });
  await rename('Eerst BV');
  await expect.poll(seen, { timeout: 6_000 }).toEqual(all('Eerst BV'));
  await rename('Later BV');
  await expect.poll(seen, { timeout: 6_000 }).toEqual(all('Later BV'));
});

test.each([
  ['nothing', ' ', 400],
  ['two lines', 'a\nb', 400],
  ['101 characters', 'x'.repeat(101), 400],
  ['a name like the administrators’', '4dmin', 400],
  ['a name like another organization’s', 'ANDER  B.V.', 409],
])('the new name %s is refused, as for a new organization (55.46, API-03)', async (_, clean, status) => {
  const before = await cleanOf('klant');
  expect((await rename(clean)).status).toBe(status);
  expect(await cleanOf('klant')).toBe(before);
});

test('a beheerder does not learn which other organization a name looks like, and an administrator does (55.46)', async () => {
  const words = 'Nette Bedrijfs Naam lijkt te veel op die van een andere organisatie';
  expect((await rename('Ander bv', { as: beheerder })).message).toBe(`${words}.`);
  expect((await rename('Ander bv')).message).toBe(`${words}: ander BV.`);
});

test.each([
  ['another organization by a beheerder', 'ander', () => beheerder, 404],
  ['an unknown one', 'geen', () => a.admin, 404],
  ['the administrators’', 'admin', () => a.admin, 409],
  ['their own by a gebruiker', 'klant', () => gebruiker, 403],
] as const)('renaming %s is refused (55.46)', async (_, name, as, status) => {
  expect((await rename('Nieuwe Naam', { name, as: as() })).status).toBe(status);
});

test('the second of two organizations that are given the same name simultaneously is refused (55.46)', async () => {
  await a.portal.organization('derde');
  const answers = await Promise.all([rename('Zelfde'), rename('Zelfde', { name: 'derde' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('the list of organizations says which never had an account, and a deleted account still counts (55.47)', async () => {
  await a.portal.organization('leeg');
  const hadAccount = async (name: string) =>
    (await a.call('GET /api/organization/get')).json.find((one: { name: string }) => one.name === name)
      .hadAccount;
  expect([await hadAccount('leeg'), await hadAccount('klant')]).toEqual([false, true]);
  const id = (await a.portal.pool.query(`select id from organization where name = 'leeg'`)).rows[0].id;
  await a.portal.user('eerste@leeg.nl', id);
  expect(await hadAccount('leeg')).toBe(true);
  await a.portal.pool.query(`delete from account where email = 'eerste@leeg.nl'`);
  expect(await hadAccount('leeg')).toBe(true);
});
