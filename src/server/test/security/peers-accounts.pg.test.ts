import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargingUnsubscribeToken } from '#server/alerts/unsubscribe-token.ts';
import { readConfig } from '#server/config.ts';
import { type ParsedMail, readMailbox } from '#server/mail/test/mailbox.ts';
import { openLog } from '#server/platform/log.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { AUDIT_ROWS_SQL, storeRefusalsNow } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

/** Tests for vulnerabilities that comparable products had in sign-in, reset, cookies, secrets and logs (docs/security.md). */
const lines: string[] = [];
let portal: TestPortal;
let klant: number;
beforeAll(async () => {
  const log = openLog('debug', [], { write: (line: string) => void lines.push(line) });
  portal = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' }, Date.now, log);
  klant = await portal.organization('klant');
});
afterAll(() => portal.close());

const NEW = 'een heel nieuw wachtwoord';
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  portal.app.inject({ method: 'POST', url, payload, headers });
const mailsTo = async (to: string) =>
  (await readMailbox(portal.portal.config.DATA_DIR)).filter((mail) => mail.to === to);
const codeIn = (text = '') => /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec(text)?.[0] as string;

/** Requests a reset code, with extra headers, and waits for the e-mail. */
async function resetMail(email: string, headers: Record<string, string> = {}) {
  await portal.pool.query('delete from rate_limit');
  const before = (await mailsTo(email)).length;
  expect((await post('/api/auth/forgot-password', { email }, headers)).statusCode).toBe(200);
  await expect.poll(async () => (await mailsTo(email)).length, { timeout: 10_000 }).toBe(before + 1);
  return (await mailsTo(email)).at(-1) as ParsedMail;
}

test('peers: default secret (CVE-2023-26462): there is none; a short secret is refused, and each data folder gets another generated one (AUTH-11)', async () => {
  for (const SECRETS_KEY of ['secret', 'changeme', '11'.repeat(31), 'x'.repeat(64)])
    expect(() => readConfig({ SECRETS_KEY }), SECRETS_KEY).toThrow(/SECRETS_KEY must be 64 hexadecimal/);
  const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'werkstroom-secret-'))));
  const [one, other] = await Promise.all(folders.map((folder) => openSecrets(undefined, folder)));
  const sealed = one?.seal('writer_key.secret', 'WS1', 'geheim') as Buffer;
  expect(one?.open('writer_key.secret', 'WS1', sealed)).toBe('geheim');
  expect(() => other?.open('writer_key.secret', 'WS1', sealed)).toThrow();
  for (const folder of folders) {
    expect((await stat(join(folder, 'secrets.key'))).mode & 0o777).toBe(0o600);
    await rm(folder, { recursive: true });
  }
});

test('peers: a reset code used as a session (CVE-2026-108737): the code gives no access; it sets a password once, and that ends open sessions (AUTH-07)', async () => {
  await portal.user('reset@klant.nl', klant);
  const session = await portal.login('reset@klant.nl');
  const code = codeIn((await resetMail('reset@klant.nl')).text);
  for (const headers of [
    { cookie: `werkstroom=${code}` },
    { cookie: `werkstroom=${code.replace('-', '')}` },
    { authorization: `Bearer ${code}` },
  ]) {
    const answer = await portal.app.inject({ url: '/api/live', headers });
    expect([headers, answer.statusCode]).toEqual([headers, 401]);
  }
  expect((await post('/api/auth/login', { email: 'reset@klant.nl', password: code })).statusCode).toBe(401);
  const reset = { email: 'reset@klant.nl', code, newPassword: NEW };
  const other = await post('/api/auth/reset-password-with-code', { ...reset, email: 'ander@klant.nl' });
  const done = await post('/api/auth/reset-password-with-code', reset);
  const again = await post('/api/auth/reset-password-with-code', { ...reset, newPassword: 'nog een keer' });
  expect([other, done, again].map(({ statusCode }) => statusCode)).toEqual([400, 200, 400]);
  await expect
    .poll(async () => (await portal.get('/api/live', session)).statusCode, { timeout: 5_000, interval: 50 })
    .toBe(401);
  expect(done.headers['set-cookie']).not.toMatch(/werkstroom=/);
});

test('peers: host-header poisoning of the reset mail (ThingsBoard): the link always begins with PUBLIC_URL (AUTH-06)', async () => {
  await portal.user('gastheer@klant.nl', klant);
  const { source, text } = await resetMail('gastheer@klant.nl', {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
    origin: 'http://portaal.example.nl',
    referer: 'http://portaal.example.nl/evil.example',
  });
  expect(source).not.toContain('evil.example');
  expect(text).toContain('http://portaal.example.nl/');
});

test('peers: enumeration of accounts: sign-in, reset and registration answer the same for existing and unknown accounts (AUTH-07)', async () => {
  await portal.user('bestaat@klant.nl', klant);
  const tell = async (url: string, payload: object) => {
    const { statusCode, body, headers } = await post(url, payload);
    return [statusCode, body, Object.keys(headers).sort()];
  };
  for (const [url, rest] of [
    ['/api/auth/login', { password: 'verkeerd wachtwoord' }],
    ['/api/auth/forgot-password', {}],
    ['/api/auth/reset-password-with-code', { code: 'AAAA-AAAA', newPassword: NEW }],
    ['/api/auth/register', { password: NEW, organizationCode: 'GEENCODE' }],
  ] as const)
    expect(await tell(url, { email: 'bestaat@klant.nl', ...rest })).toEqual(
      await tell(url, { email: 'niemand@klant.nl', ...rest }),
    );
});

test('peers: session fixation and cookies: a planted cookie is never adopted, and scripts cannot read the session cookie (AUTH-10)', async () => {
  await portal.user('vast@klant.nl', klant);
  const planted = `werkstroom=${'A'.repeat(43)}`;
  const answer = await post(
    '/api/auth/login',
    { email: 'vast@klant.nl', password: PASSWORD },
    { cookie: planted },
  );
  const cookies = answer.headers['set-cookie'] as unknown as string[];
  expect(cookies[0]).not.toContain('A'.repeat(43));
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  expect((await portal.get('/api/live', planted)).statusCode).toBe(401);
  expect((await portal.get('/api/live', cookies[0]?.split(';', 1)[0])).statusCode).toBe(200);
});

test('peers: open redirect (CVE-2025-6197, CVE-2025-4123, traccar 0d6e30562): the only redirect of the server leads to PUBLIC_URL (MAIL-01)', async () => {
  const streamId = await portal.machine(klant, { serial: 'O-1' });
  await portal.user('weg@klant.nl', klant);
  const { rows } = await portal.pool.query(`select id from account where email = 'weg@klant.nl'`);
  const token = chargingUnsubscribeToken(portal.secrets, { streamId, accountId: rows[0].id, serial: 'O-1' });
  for (const query of ['', '?next=https://evil.example', '?redirect=//evil.example', '//evil.example']) {
    const answer = await portal.get(`/api/mail/unsubscribe/${token}${query}`, undefined, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    });
    if (query.startsWith('//')) expect(answer.statusCode).toBe(404);
    else expect(answer.headers.location).toBe('http://portaal.example.nl/machine/O-1?afmelden=1');
  }
});

test('peers: internals in error answers (ASVS 16.5): a database error appears in the log only, and no answer contains a stack trace (API-03)', async () => {
  await portal.user('fout@klant.nl', klant);
  const cookie = await portal.login('fout@klant.nl');
  await portal.pool.query('alter table alert_rule rename to elsewhere');
  const answer = await portal.get('/api/mail/subscription-status?serialNumber=O-1', cookie);
  await portal.pool.query('alter table elsewhere rename to alert_rule');
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    { code: 'internal', message: 'Er ging iets mis in het portaal.' },
  ]);
  expect(lines.join('')).toContain('alert_rule');
});

test('peers: logs never contain secrets or e-mail addresses (AUTH-11)', async () => {
  await portal.user('log@klant.nl', klant);
  const cookie = await portal.login('log@klant.nl');
  const code = codeIn((await resetMail('log@klant.nl')).text);
  await post('/api/auth/login', { email: 'log@klant.nl', password: 'een verkeerd wachtwoord' });
  await portal.pool.query('alter table account rename to elsewhere');
  await post('/api/auth/login', { email: 'log@klant.nl', password: PASSWORD });
  await post('/api/auth/reset-password-with-code', { email: 'log@klant.nl', code, newPassword: NEW });
  await portal.get(`/api/user/get?email=log@klant.nl`, cookie);
  await portal.pool.query('alter table elsewhere rename to account');
  const said = lines.join('');
  expect(said).toContain('Unexpected error');
  for (const secret of [
    PASSWORD,
    NEW,
    'een verkeerd wachtwoord',
    'log@klant.nl',
    code,
    cookie.split('=')[1],
    '$argon2',
  ])
    expect(said, secret).not.toContain(secret);
});

test('peers: account events are audited (ASVS 16.2.5, 16.3.1): sign-in, refusal, sign-out and reset, without passwords or codes (AUTH-10, AUTH-11)', async () => {
  await portal.user('spoor@klant.nl', klant);
  const cookie = await portal.login('spoor@klant.nl');
  await post('/api/auth/login', { email: 'spoor@klant.nl', password: 'een verkeerd wachtwoord' });
  await post('/api/auth/login', { email: 'bestaat-niet@klant.nl', password: 'een verkeerd wachtwoord' });
  await storeRefusalsNow(portal);
  await post('/api/auth/logout', {}, { cookie });
  const code = codeIn((await resetMail('spoor@klant.nl')).text);
  await post('/api/auth/reset-password-with-code', { email: 'spoor@klant.nl', code, newPassword: NEW });
  async function audited() {
    const { rows } = await portal.pool.query(
      `select actor, action, data from ${AUDIT_ROWS_SQL} where subject in ('spoor@klant.nl', 'bestaat-niet@klant.nl') order by id`,
    );
    return rows;
  }
  expect(await audited()).toEqual([
    { actor: 'spoor@klant.nl', action: 'session.start', data: {} },
    { actor: 'sign-in', action: 'session.refuse', data: { count: 1, call: 'POST /api/auth/login' } },
    { actor: 'spoor@klant.nl', action: 'session.end', data: {} },
    { actor: 'spoor@klant.nl', action: 'user.reset-password', data: {} },
  ]);
});
