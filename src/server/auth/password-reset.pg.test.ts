import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { AUDITED } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { hashCode } from './passwords.ts';

const NEW = 'a newer password';
/** The portal is for others and has no mail server: the answer says whom to ask, too. */
const SENT = [
  200,
  {
    message: 'A reset code has been sent to your email.',
    note: expect.stringContaining('Vraag je beheerder'),
  },
];
const REFUSED = [
  400,
  { code: 'invalid', message: 'Failed to reset password. Please check the code and try again.' },
];

let portal: TestPortal;
let organization: number;
let n = 0;
let email: string;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' });
  organization = await portal.organization('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `User${n}@klant.nl`;
  await portal.user(email, organization);
});

const post = (url: string, payload: object, cookie?: string, from = '192.0.2.1') =>
  portal.app.inject({
    method: 'POST',
    url: `/api/auth/${url}`,
    payload,
    remoteAddress: from,
    headers: cookie ? { cookie } : {},
  });
const outcome = ({ statusCode, json }: { statusCode: number; json(): unknown }) => [statusCode, json()];
const mails = async (to = email) =>
  (await readMailbox(portal.portal.config.DATA_DIR)).filter((mail) => mail.to === to);

const resetMails = async () => (await mails()).filter(({ subject }) => subject.includes('code'));
const codeIn = (text: string) => /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec(text)?.[0] as string;

/** Asks for a mail, and reads it. */
async function resetMail(): Promise<string> {
  const before = (await resetMails()).length;
  expect(outcome(await post('forgot-password', { email: email.toUpperCase() }))).toEqual(SENT);
  await expect.poll(async () => (await resetMails()).length, { timeout: 30_000 }).toBe(before + 1);
  return (await resetMails()).at(-1)?.text as string;
}
const codeByMail = async (): Promise<string> => codeIn(await resetMail());
const reset = async (code: string, newPassword = NEW) =>
  outcome(await post('reset-password-with-code', { email, code, newPassword }));
/** As a stranger does at whose account many guess. */
async function waitsToSignIn(password: string, cookie?: string): Promise<boolean> {
  const began = performance.now();
  expect((await post('login', { email, password }, cookie)).statusCode).toBe(200);
  return performance.now() - began > 2_990;
}
const login = async (password: string) => (await post('login', { email, password })).statusCode;

test('AUTH-06 AUTH-07 AUTH-10 the mailed code sets a new password, once, and ends all sessions', async () => {
  const sessions = [await portal.login(email), await portal.login(email)];
  const code = await codeByMail();
  expect(await reset(` ${code.toLowerCase().replace('-', ' ')} `)).toEqual([
    200,
    { message: 'Password reset successful. Please sign in with your new password.' },
  ]);
  for (const cookie of sessions) {
    await expect
      .poll(async () => (await portal.get('/api/live', cookie)).statusCode, { timeout: 4_000 })
      .toBe(401);
  }
  expect([await login(PASSWORD), await login(NEW)]).toEqual([401, 200]);
  expect(await reset(code, 'a third password')).toEqual(REFUSED);
  const { rows } = await portal.pool.query(
    `select actor, data from ${AUDITED} where action = 'user.reset-password' and subject = $1 order by id`,
    [email],
  );
  expect(rows).toEqual([{ actor: email, data: {} }]);
});

test('MAIL-02 the mail is Dutch, text and HTML, with a link to the sign-in page', async () => {
  const code = await codeByMail();
  const [mail] = await mails();
  expect(mail?.subject).toBe('Je code voor een nieuw wachtwoord');
  expect(mail?.text).toContain('Die is 30 minuten geldig en werkt één keer');
  expect(mail?.text).toContain('De code is 10 minuten geldig en werkt één keer');
  expect(mail?.text).toMatch(
    /Kies een nieuw wachtwoord: http:\/\/portaal\.example\.nl\/signin#reset=[\w-]{22}$/m,
  );
  expect(mail?.source).toContain('<html lang=3D"nl">');
  expect(mail?.source.split(code)).toHaveLength(3);
});

test('AUTH-07 who has no account gets the same answer, and nobody a mail', async () => {
  await portal.user('dicht@klant.nl', await portal.organization('dicht'));
  await portal.pool.query(`update organization set is_active = false where name = 'dicht'`);
  for (const nobody of ['nobody@klant.nl', 'dicht@klant.nl']) {
    expect(outcome(await post('forgot-password', { email: nobody }))).toEqual(SENT);
  }
  await codeByMail(); // asked later, so theirs have been dealt with
  expect([...(await mails('nobody@klant.nl')), ...(await mails('dicht@klant.nl'))]).toEqual([]);
  const unknown = await post('reset-password-with-code', {
    email: 'nobody@klant.nl',
    code: 'AAAA-AAAA',
    newPassword: NEW,
  });
  expect(outcome(unknown)).toEqual(REFUSED);
});

test('AUTH-07 the request does not look for an account: it costs the same with and without one', async () => {
  const client = await portal.pool.connect();
  await client.query('begin; lock table account in access exclusive mode');
  try {
    for (const address of [email, 'nobody2@klant.nl']) {
      expect(outcome(await post('forgot-password', { email: address }))).toEqual(SENT);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('AUTH-07 after five wrong codes the right one is too late', async () => {
  const code = await codeByMail();
  const wrong = await Promise.all(Array.from({ length: 5 }, () => reset('AAAA-AAAA')));
  expect(wrong).toEqual(Array(5).fill(REFUSED));
  expect(await reset(code)).toEqual(REFUSED);
  expect(await login(PASSWORD)).toBe(200);
});

test('AUTH-07 four wrong codes do no harm', async () => {
  const code = await codeByMail();
  for (let i = 0; i < 4; i++) expect(await reset('AAAA-AAAA')).toEqual(REFUSED);
  expect((await reset(code))[0]).toBe(200);
});

test('AUTH-07 13.3e a code is good for 10 minutes', async () => {
  const code = await codeByMail();
  const { rows } = await portal.pool.query(
    `update password_reset set code_until = code_until - interval '10 minutes' returning code_until <= now() as over`,
  );
  expect(rows.every(({ over }) => over)).toBe(true);
  expect(await reset(code)).toEqual(REFUSED);
});

test('AUTH-07 13.3f asking again keeps the first code valid; whichever is used ends the others', async () => {
  const older = await codeByMail();
  const newer = await codeByMail();
  expect((await reset(older))[0]).toBe(200);
  expect(await reset(newer)).toEqual(REFUSED);
});

test('AUTH-07 one code used twice at the same time sets one password', async () => {
  const code = await codeByMail();
  const both = await Promise.all([reset(code, 'password one'), reset(code, 'password two')]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 400]);
});

test('AUTH-07 AUTH-11 the database knows no code: only its argon2id hash', async () => {
  const mailed = await codeByMail();
  const code = mailed.replace('-', '');
  const { rows } = await portal.pool.query(
    `select (select string_agg(p::text, ' ') from password_reset p) as resets,
       (select string_agg(j::text, ' ') from pgboss.job j) as jobs,
       (select bool_and(code_hash = $1) from password_reset p join account a on a.id = p.account_id and a.email = $2) as hashed`,
    [await hashCode(code, email.toLowerCase()), email],
  );
  expect(rows[0].hashed).toBe(true);
  expect(rows[0].resets).not.toContain(Buffer.from(code).toString('hex'));
  expect(rows[0].jobs).toContain(email.toLowerCase());
  // Not a part of it: four digits are in any time and id.
  for (const written of [mailed, code]) expect(rows[0].jobs).not.toContain(written);
});

test('AUTH-06 a short new password is refused and costs no try', async () => {
  const code = await codeByMail();
  const message = 'Een wachtwoord heeft minstens 8 tekens.';
  for (let i = 0; i < 6; i++)
    expect(await reset(code, '1234567')).toEqual([400, { code: 'invalid', message }]);
  expect((await reset(code))[0]).toBe(200);
});

test('AUTH-11 13.7c requests of others never stop the owner’s: each address has its own', async () => {
  const ask = async (from: string, to = email) =>
    (await post('forgot-password', { email: to }, undefined, from)).statusCode;
  for (let i = 0; i < 30; i++) expect(await ask(`203.0.113.${i % 10}`)).toBe(200);
  expect(await ask('192.0.2.1')).toBe(200);
  // For whoever it asks.
  const answers: number[] = [];
  for (let i = 0; i < 25; i++) answers.push(await ask('198.51.100.1', `nobody${i}@klant.nl`));
  expect(answers).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
});

test('AUTH-11 after a reset its browser signs in at once while strangers guess at the account', async () => {
  const code = await codeByMail();
  const answer = await post('reset-password-with-code', { email, code, newPassword: NEW });
  const device = String(answer.headers['set-cookie']).split(';', 1)[0] as string;
  await portal.pool.query(`insert into rate_limit values ($1, now(), 100)`, [`login ${email.toLowerCase()}`]);
  expect(await waitsToSignIn(NEW)).toBe(true);
  expect(await waitsToSignIn(NEW, device)).toBe(false);
});

test('AUTH-07 a code is good for its own account only', async () => {
  const code = await codeByMail();
  const owner = email;
  email = `Other${n}@klant.nl`;
  await portal.user(email, organization);
  await codeByMail();
  expect(await reset(code)).toEqual(REFUSED);
  email = `None${n}@klant.nl`;
  await portal.user(email, organization);
  expect(await reset(code)).toEqual(REFUSED);
  email = owner;
  expect((await reset(code))[0]).toBe(200);
});

test('AUTH-11 guesses of reset codes are counted per account and address', async () => {
  const answers: number[] = [];
  for (let i = 0; i < 20; i++) answers.push((await reset(`AAAA-AAA${i % 10}`))[0] as number);
  expect(answers).toEqual([...Array(15).fill(400), ...Array(5).fill(429)]);
});

test('AUTH-07 AUTH-11 a browser that knew the old password is a stranger after a reset', async () => {
  const signIn = (password: string, cookie?: string) => post('login', { email, password }, cookie);
  const answer = await signIn(PASSWORD);
  const device = [answer.headers['set-cookie']]
    .flat()
    .find((cookie) => cookie?.startsWith('werkstroom-device='));
  expect(device).toBeDefined();
  expect((await reset(await codeByMail()))[0]).toBe(200);
  await portal.pool.query(
    `insert into rate_limit values ($1, now(), 100) on conflict (key) do update set count = 100`,
    [`login ${email.toLowerCase()}`],
  );
  expect(await waitsToSignIn(NEW, device?.split(';', 1)[0])).toBe(true);
});

test('AUTH-07 12.C9 an account that is deleted while its code is made gets none, and its job is done', async () => {
  const client = await portal.pool.connect();
  await client.query('begin');
  try {
    await client.query('delete from account where email = $1', [email]);
    expect(outcome(await post('forgot-password', { email }))).toEqual(SENT);
    const waits = async () =>
      (
        await portal.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%for no key update of a'`,
        )
      ).rowCount;
    await expect.poll(waits, { timeout: 30_000 }).toBe(1);
    await client.query('commit');
  } finally {
    client.release(true);
  }
  const job = async () => {
    const { rows } = await portal.pool.query(
      `select state::text, output from pgboss.job where name = 'password-reset' and data->>'email' = $1`,
      [email.toLowerCase()],
    );
    return rows[0];
  };
  await expect.poll(async () => (await job()).state, { timeout: 30_000 }).not.toBe('active');
  expect(await job()).toEqual({ state: 'completed', output: null });
  expect(await mails()).toEqual([]);
});

test('AUTH-07 API-05 a deleted account’s code is gone with it', async () => {
  const code = await codeByMail();
  await portal.pool.query('delete from account where email = $1', [email]);
  expect(await reset(code)).toEqual(REFUSED);
});
