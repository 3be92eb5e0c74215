import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { hashMailedCode } from './passwords.ts';

const NEW = 'a newer password';
/** The portal is public (PUBLIC_URL) and has no mail server, so the answer says whom to ask for a link. */
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

/** Requests a reset mail and reads it. */
async function resetMail(): Promise<string> {
  const before = (await resetMails()).length;
  expect(outcome(await post('forgot-password', { email: email.toUpperCase() }))).toEqual(SENT);
  await expect.poll(async () => (await resetMails()).length, { timeout: 30_000 }).toBe(before + 1);
  return (await resetMails()).at(-1)?.text as string;
}
const codeByMail = async (): Promise<string> => codeIn(await resetMail());
const reset = async (code: string, newPassword = NEW) =>
  outcome(await post('reset-password-with-code', { email, code, newPassword }));
/** Returns whether a sign-in is delayed, as a stranger's is after many tries at the account. */
async function waitsToSignIn(password: string, cookie?: string): Promise<boolean> {
  const began = performance.now();
  expect((await post('login', { email, password }, cookie)).statusCode).toBe(200);
  return performance.now() - began > 2_990;
}
const login = async (password: string) => (await post('login', { email, password })).statusCode;

test('the mailed code sets a new password once and ends all sessions (AUTH-06, AUTH-07, AUTH-10)', async () => {
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
    `select actor, data from ${AUDIT_ROWS_SQL} where action = 'user.reset-password' and subject = $1 order by id`,
    [email],
  );
  expect(rows).toEqual([{ actor: email, data: {} }]);
});

test('the mail of a password reset is Dutch, text and HTML, with a link to the sign-in page (MAIL-02)', async () => {
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

test('a request for a password reset of an unknown e-mail gets the answer of a known e-mail and sends no mail (AUTH-07)', async () => {
  await portal.user('dicht@klant.nl', await portal.organization('dicht'));
  await portal.pool.query(`update organization set is_active = false where name = 'dicht'`);
  for (const unknown of ['nobody@klant.nl', 'dicht@klant.nl']) {
    expect(outcome(await post('forgot-password', { email: unknown }))).toEqual(SENT);
  }
  await codeByMail(); // requested later, so the earlier jobs have been processed
  expect([...(await mails('nobody@klant.nl')), ...(await mails('dicht@klant.nl'))]).toEqual([]);
  const unknown = await post('reset-password-with-code', {
    email: 'nobody@klant.nl',
    code: 'AAAA-AAAA',
    newPassword: NEW,
  });
  expect(outcome(unknown)).toEqual(REFUSED);
});

test('a request for a password reset is answered without reading the accounts, so its duration does not reveal whether an account exists (AUTH-07)', async () => {
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

test('the right reset code is refused after five wrong ones (AUTH-07)', async () => {
  const code = await codeByMail();
  const wrong = await Promise.all(Array.from({ length: 5 }, () => reset('AAAA-AAAA')));
  expect(wrong).toEqual(Array(5).fill(REFUSED));
  expect(await reset(code)).toEqual(REFUSED);
  expect(await login(PASSWORD)).toBe(200);
});

test('the right reset code is accepted after four wrong ones (AUTH-07)', async () => {
  const code = await codeByMail();
  for (let i = 0; i < 4; i++) expect(await reset('AAAA-AAAA')).toEqual(REFUSED);
  expect((await reset(code))[0]).toBe(200);
});

test('a reset code is valid for 10 minutes (AUTH-07, 13.3e)', async () => {
  const code = await codeByMail();
  const { rows } = await portal.pool.query(
    `update password_reset set code_until = code_until - interval '10 minutes' returning code_until <= now() as over`,
  );
  expect(rows.every(({ over }) => over)).toBe(true);
  expect(await reset(code)).toEqual(REFUSED);
});

test('a second request keeps the first code valid, and using either voids the other (AUTH-07, 13.3f)', async () => {
  const older = await codeByMail();
  const newer = await codeByMail();
  expect((await reset(older))[0]).toBe(200);
  expect(await reset(newer)).toEqual(REFUSED);
});

test('one reset code used twice at the same time sets one password (AUTH-07)', async () => {
  const code = await codeByMail();
  const both = await Promise.all([reset(code, 'password one'), reset(code, 'password two')]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 400]);
});

test('the database holds only the argon2id hash of a code (AUTH-07, AUTH-11)', async () => {
  const mailed = await codeByMail();
  const code = mailed.replace('-', '');
  const { rows } = await portal.pool.query(
    `select (select string_agg(p::text, ' ') from password_reset p) as resets,
       (select string_agg(j::text, ' ') from pgboss.job j) as jobs,
       (select bool_and(code_hash = $1) from password_reset p join account a on a.id = p.account_id and a.email = $2) as hashed`,
    [await hashMailedCode(code, email.toLowerCase()), email],
  );
  expect(rows[0].hashed).toBe(true);
  expect(rows[0].resets).not.toContain(Buffer.from(code).toString('hex'));
  expect(rows[0].jobs).toContain(email.toLowerCase());
  // Looks for the whole values, because parts such as four digits also occur in times and ids.
  for (const written of [mailed, code]) expect(rows[0].jobs).not.toContain(written);
});

test('a new password that is too short is refused and does not count as an attempt at the reset code (AUTH-06)', async () => {
  const code = await codeByMail();
  const message = 'Een wachtwoord heeft minstens 8 tekens.';
  for (let i = 0; i < 6; i++)
    expect(await reset(code, '1234567')).toEqual([400, { code: 'invalid', message }]);
  expect((await reset(code))[0]).toBe(200);
});

test('requests for a reset from other addresses never block those of the owner, because each address has its own limit (AUTH-11, 13.7c)', async () => {
  const ask = async (from: string, to = email) =>
    (await post('forgot-password', { email: to }, undefined, from)).statusCode;
  for (let i = 0; i < 30; i++) expect(await ask(`203.0.113.${i % 10}`)).toBe(200);
  expect(await ask('192.0.2.1')).toBe(200);
  // One address is refused after 20 requests, whichever accounts they are for.
  const answers: number[] = [];
  for (let i = 0; i < 25; i++) answers.push(await ask('198.51.100.1', `nobody${i}@klant.nl`));
  expect(answers).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
});

test('a browser that reset the password signs in without delay while strangers guess at the account (AUTH-11)', async () => {
  const code = await codeByMail();
  const answer = await post('reset-password-with-code', { email, code, newPassword: NEW });
  const device = String(answer.headers['set-cookie']).split(';', 1)[0] as string;
  await portal.pool.query(`insert into rate_limit values ($1, now(), 100)`, [`login ${email.toLowerCase()}`]);
  expect(await waitsToSignIn(NEW)).toBe(true);
  expect(await waitsToSignIn(NEW, device)).toBe(false);
});

test('a reset code works for its own account only (AUTH-07)', async () => {
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

test('guesses at reset codes are counted per account and address (AUTH-11)', async () => {
  const answers: number[] = [];
  for (let i = 0; i < 20; i++) answers.push((await reset(`AAAA-AAA${i % 10}`))[0] as number);
  expect(answers).toEqual([...Array(15).fill(400), ...Array(5).fill(429)]);
});

test('after a password reset, browsers that signed in with the old password count as unknown (AUTH-07, AUTH-11)', async () => {
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

test('the mail job of a reset ends without a code if the account was deleted meanwhile (AUTH-07, 12.C9)', async () => {
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

test('deleting an account deletes its reset code (AUTH-07, API-05)', async () => {
  const code = await codeByMail();
  await portal.pool.query('delete from account where email = $1', [email]);
  expect(await reset(code)).toEqual(REFUSED);
});
