import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';

let portal: TestPortal;
let klant: number;
let admin: string;
let beheerder: string;
let n = 0;
let email: string;
beforeAll(async () => {
  portal = await testPortal();
  klant = await portal.organization('klant');
  await portal.organization('ander');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  await portal.user('baas@klant.nl', klant, 'beheerder');
  admin = await portal.login('admin@portaal.nl');
  beheerder = await portal.login('baas@klant.nl');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `Weg${n}@klant.nl`;
  await portal.user(email, klant);
});

const inject = async (method: 'POST' | 'DELETE', url: string, payload?: object, cookie?: string) => {
  const answer = await portal.app.inject({
    method,
    url: `/api/${url}`,
    ...(payload && { payload }),
    headers: { 'x-requested-with': 'test', ...(cookie && { cookie }) },
  });
  return { status: answer.statusCode, body: answer.json() };
};
const codeOf = async (name: string): Promise<string> =>
  (await portal.pool.query('select code from organization where name = $1', [name])).rows[0].code;
const remove = (more = '', cookie = beheerder) =>
  inject('DELETE', `user/delete?email=${encodeURIComponent(email)}${more}`, undefined, cookie);
const register = async (organization = 'klant', as = email) =>
  inject('POST', 'auth/register', {
    email: as,
    password: PASSWORD,
    organizationCode: await codeOf(organization),
  });

test('a deleted person cannot register again with the code, however the address is written (13.2f)', async () => {
  expect((await remove()).status).toBe(200);
  const wrong = await inject('POST', 'auth/register', {
    email,
    password: PASSWORD,
    organizationCode: 'GEENCODE',
  });
  expect(await register()).toEqual(wrong);
  expect(await register('klant', email.toUpperCase())).toEqual(wrong);
  expect(wrong.body.message).toContain('Registreren is niet gelukt.');
  // The address is blocked in the organization `klant` only, so it can register with the code of another one.
  expect((await register('ander')).status).toBe(200);
});

test('a deleted person can register again if whoever deleted the account allowed that (13.2f)', async () => {
  await remove('&mayReturn=true');
  expect((await register()).status).toBe(200);
  const { rows } = await portal.pool.query(
    `select data from audit where action = 'user.delete' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ data: { mayReturn: true } }]);
});

test('an invitation lifts the block of a deleted person, who can then also register with the code again (13.2f)', async () => {
  await remove();
  expect((await inject('POST', 'invitation/create', { email, role: 'kijker' }, beheerder)).status).toBe(200);
  const link = async () =>
    (await readMailbox(portal.portal.config.DATA_DIR)).find(({ to }) => to === email)?.text;
  await expect.poll(link, { timeout: 20_000 }).toBeDefined();
  const token = /uitnodiging#(\S+)/.exec((await link()) ?? '')?.[1];
  expect((await inject('POST', 'invitation/accept', { token, password: PASSWORD })).status).toBe(200);
  await portal.login(email);
  await portal.pool.query('delete from account where email = $1', [email]);
  expect((await register()).status).toBe(200);
});

test('a blocked address is stored as a hash that differs per organization (13.2f)', async () => {
  await remove();
  const { rows } = await portal.pool.query(
    'select d.address_hash as hash, o.address_key as key from departed d join organization o on o.id = d.organization_id where o.id = $1',
    [klant],
  );
  expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
  expect(JSON.stringify(rows).toLowerCase()).not.toContain(email.toLowerCase());
  // The encrypted key of an organization can be decrypted for the row of that organization only.
  expect(() => portal.secrets.open('organization.address_key', klant + 1, rows[0].key)).toThrow();
  expect(portal.secrets.open('organization.address_key', klant, rows[0].key)).toMatch(/^[\w+/]{43}=$/);
});

test('a registration while the account is being deleted is refused (13.2f)', async () => {
  const client = await portal.pool.connect();
  await client.query('begin');
  // Holds the organization's lock, as a deletion does halfway.
  await client.query('select from organization where id = $1 for no key update', [klant]);
  const removing = remove();
  await waitForLockWaits(portal.pool, 1);
  const registering = register();
  await waitForLockWaits(portal.pool, 2);
  await client.query('commit');
  client.release();
  expect((await removing).status).toBe(200);
  expect((await registering).status).toBe(400);
  expect((await portal.pool.query('select from account where email = $1', [email])).rowCount).toBe(0);
});

test('the address of a person whom an administrator deleted is blocked too (13.2f)', async () => {
  await remove('', admin);
  expect((await register()).status).toBe(400);
});
