import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let code: string;
const codeOf = async (name: string) =>
  (await portal.pool.query<{ code: string }>('select code from organization where name = $1', [name])).rows[0]
    ?.code as string;
const MADE =
  'Je account is gemaakt. Dit portaal verstuurt geen mail: vraag je beheerder om de link waarmee je verder kunt.';
const NEUTRAL = expect.stringContaining('Registreren is niet gelukt.');

beforeAll(async () => {
  portal = await testPortal();
  await portal.user('anna@klant.nl', await portal.organization('klant'));
  await portal.organization('admin');
  await portal.organization('dicht');
  await portal.pool.query(`update organization set is_active = false where name = 'dicht'`);
  code = await codeOf('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
});

const register = (payload: Record<string, unknown>, from = '192.0.2.1') =>
  portal.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email: 'new@klant.nl', password: PASSWORD, organizationCode: code, ...payload },
    remoteAddress: from,
  });
const accounts = async () => (await portal.pool.query('select email from account order by 1')).rows.length;

test("registering with an organization's code adds the account to that organization (AUTH-03, AUTH-08)", async () => {
  const answer = await register({ email: ' Bert@Klant.nl ' });
  expect([answer.statusCode, answer.json()]).toEqual([200, { message: MADE, waits: false }]);
  expect(answer.headers['set-cookie']).toBeUndefined();
  const me = await portal.get('/api/auth/validate-token', await portal.login('bert@klant.nl'));
  expect(me.json().user).toMatchObject({ email: 'Bert@Klant.nl', organization: 'klant' });
  const { rows } = await portal.pool.query(
    `select actor, subject, data from ${AUDIT_ROWS_SQL} where action = 'user.register' order by id`,
  );
  expect(rows).toEqual([
    { actor: 'Bert@Klant.nl', subject: 'Bert@Klant.nl', data: { organization: 'klant' } },
  ]);
});

test('a registration code may be typed with other capitals, blanks and hyphens (AUTH-08)', async () => {
  const typed = ` ${code.toLowerCase().slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)} `;
  expect((await register({ email: 'typed@klant.nl', organizationCode: typed })).statusCode).toBe(200);
});

test.each<[string, () => Promise<string>]>([
  ['an unknown code', async () => 'AAAABBBBCCCC'],
  ['the code of a disabled organization', () => codeOf('dicht')],
  ['the code of admin', () => codeOf('admin')],
  ['a code of hyphens only', async () => '---'],
])('registering with %s creates no account (AUTH-08)', async (_, organizationCode) => {
  const before = await accounts();
  const answer = await register({ organizationCode: await organizationCode() });
  expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'invalid', message: NEUTRAL }]);
  expect(await accounts()).toBe(before);
});

test.each(['code', 'approval'])(
  'registering an address that has an account elsewhere gets the usual answer and keeps the password: mode %s (AUTH-07, AUTH-08, 41.3)',
  async (mode) => {
    await portal.organization(`ander-${mode}`);
    await portal.pool.query('update organization set registration = $2 where name = $1', [
      `ander-${mode}`,
      mode,
    ]);
    const organizationCode = await codeOf(`ander-${mode}`);
    const before = await accounts();
    const queued = async () =>
      (await readMailbox(portal.portal.config.DATA_DIR)).filter(({ to }) => to === 'anna@klant.nl').length;
    const mails = await queued();
    const taken = [];
    for (let n = 0; n < 3; n++)
      taken.push(await register({ email: 'ANNA@klant.nl', password: 'another password', organizationCode }));
    expect(await accounts()).toBe(before);
    const free = await register({ email: `vrij-${mode}@klant.nl`, organizationCode });
    for (const { statusCode, body } of taken) expect([statusCode, body]).toEqual([200, free.body]);
    await portal.login('anna@klant.nl');
    // Three registrations send one mail within 15 minutes.
    await expect.poll(queued, { timeout: 20_000 }).toBe(mails + 1);
    const { rows } = await portal.pool.query(`select from applicant where lower(email) = 'anna@klant.nl'`);
    expect(rows).toEqual([]);
    // The audit log records the refused registration.
    await expect
      .poll(
        async () =>
          (
            await portal.pool.query(
              `select from refusal r join account a on a.id = r.account_id
               where action = 'register.refuse' and a.email = 'anna@klant.nl'`,
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
  },
);

test('simultaneous registrations of one e-mail create one account (AUTH-01)', async () => {
  const answers = await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((from) => register({ email: 'race@klant.nl' }, from)),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const { rowCount } = await portal.pool.query(`select from account where email = 'race@klant.nl'`);
  expect(rowCount).toBe(1);
});

test.each([
  ['a short password', { password: '1234567' }, 'Een wachtwoord heeft minstens 8 tekens.'],
  ['an endless password', { password: 'x'.repeat(1001) }, 'Wachtwoord is te lang of onleesbaar.'],
  ['no password', { password: undefined }, 'Wachtwoord ontbreekt.'],
  ['no e-mail address', { email: 'anna@' }, 'E-mailadres is geen e-mailadres.'],
  ['a code with NUL', { organizationCode: 'a\0b' }, 'Organisatiecode is onleesbaar.'],
  ['no code', { organizationCode: ' ' }, 'Organisatiecode ontbreekt.'],
])('registering with %s gets 400 and creates nothing (API-03)', async (_, payload, message) => {
  const before = await accounts();
  const answer = await register(payload);
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'invalid', message }]);
  expect(await accounts()).toBe(before);
});

test.each([
  ['password', /veelgebruikt/],
  ['12345678', /veelgebruikt/],
  ['welkom01', /veelgebruikt/],
  ['werkstroom', /‘werkstroom’/],
  ['WERKSTROOM2026!', /‘werkstroom’/],
  ['new@klant.nl', /‘new@klant\.nl’/],
  ['New.Klant1', /‘klant’/],
])('the password %s is refused before the code is looked up (13.3b, 13.3c)', async (password, reason) => {
  const before = await accounts();
  for (const organizationCode of [code, 'AAAABBBBCCCC']) {
    const answer = await register({ password, organizationCode });
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(reason)]);
  }
  expect(await accounts()).toBe(before);
});

test('a password that is little more than the organization’s name is refused with that reason only if the registration code is right (13.3c)', async () => {
  const own = { email: 'iemand@adres.nl', password: 'Klant BV 2026' };
  const refused = await register(own);
  expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringContaining('‘klant bv’')]);
  const guess = await register({ ...own, organizationCode: 'AAAABBBBCCCC' });
  expect(guess.json().message).toEqual(NEUTRAL);
  expect((await register({ ...own, password: 'Klant BV rijdt elektrisch' })).statusCode).toBe(200);
});

test('guessing registration codes is limited to 20 tries per network address (AUTH-11)', async () => {
  const guesses = await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      register({ email: `g${n}@klant.nl`, organizationCode: `WRONG${n}` }),
    ),
  );
  expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5);
  expect((await register({ email: 'g@klant.nl' })).statusCode).toBe(429);
});

test('twenty-five registrations with a right code from one network address are all accepted (AUTH-11)', async () => {
  for (let n = 0; n < 25; n++) expect((await register({ email: `staff${n}@klant.nl` })).statusCode).toBe(200);
});
