import { hashRaw } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { AUDIT_ROWS_SQL, storeRefusalsNow } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { addAuthenticatorApp, type Browser, testBrowser, totpCodeAt } from './test/browser.ts';

const STEP = 30_000;
let portal: TestPortal;
let customer: number;
let clock = Date.now();
let made = 0;

beforeAll(async () => {
  portal = await testPortal({}, () => clock);
  customer = await portal.organization('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  clock += 10 * STEP;
  await portal.pool.query('delete from rate_limit');
});

async function withApp() {
  made += 1;
  const email = `factor-${made}@klant.nl`;
  await portal.user(email, customer);
  const own = testBrowser(portal);
  await own.login(email);
  const { secret, recoveryCodes } = await addAuthenticatorApp(own, clock);
  clock += 2 * STEP;
  return { email, own, secret, recoveryCodes, code: () => totpCodeAt(secret, clock) };
}

const isIn = async ({ call }: Browser) =>
  (await call('GET', '/api/auth/validate-token')).json.isAuthenticated;
const second = ({ call }: Browser, code: string, from?: string) =>
  call('POST', '/api/auth/login/code', { code }, from);
const audited = async (email: string, action: string) =>
  (
    await portal.pool.query(
      `select data from ${AUDIT_ROWS_SQL} where subject = $1 and action = $2 order by id`,
      [email, action],
    )
  ).rows;

describe('an authenticator app', () => {
  test('the password alone gets 401 second-factor-required and a cookie of five minutes; the code then signs in (13.4a)', async () => {
    const { email, code } = await withApp();
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: PASSWORD },
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      {
        code: 'second-factor-required',
        message: 'Bevestig met je tweede stap dat jij het bent.',
        factors: ['totp'],
      },
    ]);
    expect(answer.headers['set-cookie']).toMatch(
      /^werkstroom-step=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const visitor = testBrowser(portal);
    await visitor.login(email);
    expect([...visitor.cookies.keys()]).toEqual(['werkstroom-step']);
    expect(await isIn(visitor)).toBe(false);
    const typed = `${code().slice(0, 3)} ${code().slice(3)}`;
    expect(await second(visitor, typed)).toMatchObject({ status: 200, json: { user: { email } } });
    expect(await isIn(visitor)).toBe(true);
    expect([...visitor.cookies.keys()].sort()).toEqual(['werkstroom', 'werkstroom-device']);
  });

  test('the code of an app may be sent with the password, and a wrong code is refused (13.4a)', async () => {
    const { email, code } = await withApp();
    const wrong = await testBrowser(portal).login(email, { totp: '000000' });
    expect(wrong).toMatchObject({ status: 401, json: { code: 'second-factor-required' } });
    expect((await testBrowser(portal).login(email, { totp: code() })).status).toBe(200);
  });

  test('a wrong password is refused as usual, with or without a right code (13.4a)', async () => {
    const { email, code } = await withApp();
    const visitor = testBrowser(portal);
    const answer = await visitor.login(email, { password: 'wrong', totp: code() });
    expect([answer.status, answer.json.code, visitor.cookies.size]).toEqual([401, 'bad_credentials', 0]);
    // The failed sign-in did not use up the code.
    expect((await visitor.login(email, { totp: code() })).status).toBe(200);
  });

  test('a code of an app works once, also for two simultaneous sign-ins (13.4b)', async () => {
    const { email, code } = await withApp();
    const both = await Promise.all([1, 2].map(() => testBrowser(portal).login(email, { totp: code() })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await testBrowser(portal).login(email, { totp: code() })).status).toBe(401);
    // The code of the previous step is used up too, although the clock tolerance would accept it.
    const before = totpCodeAt((await withApp()).secret, clock - STEP);
    expect((await testBrowser(portal).login(email, { totp: before })).status).toBe(401);
    clock += STEP;
    expect((await testBrowser(portal).login(email, { totp: code() })).status).toBe(200);
  });

  test('using a code of an authenticator app voids its older codes (13.4b)', async () => {
    const { email, secret, code } = await withApp();
    const older = totpCodeAt(secret, clock - STEP);
    expect((await testBrowser(portal).login(email, { totp: code() })).status).toBe(200);
    expect((await testBrowser(portal).login(email, { totp: older })).status).toBe(401);
  });

  test('the clock of a phone may be one step of 30 s off, not two (13.4a)', async () => {
    const { email, secret } = await withApp();
    for (const [off, status] of [
      [-2, 401],
      [-1, 200],
      [2, 401],
      [1, 200],
    ] as const)
      expect([
        off,
        (await testBrowser(portal).login(email, { totp: totpCodeAt(secret, clock + off * STEP) })).status,
      ]).toEqual([off, status]);
  });

  test('the secret of an app is stored encrypted, bound to its row (13.4a)', async () => {
    const mine = await withApp();
    const theirs = await withApp();
    const stored = async (email: string) =>
      (
        await portal.pool.query<{ id: number; secret: Buffer }>(
          'select f.id, f.secret from factor f join account a on a.id = f.account_id where a.email = $1',
          [email],
        )
      ).rows[0]!;
    const [own, other] = [await stored(mine.email), await stored(theirs.email)];
    expect(own.secret.toString('latin1')).not.toContain(mine.secret);
    expect(portal.secrets.open('factor.secret', own.id, own.secret)).toBe(mine.secret);
    expect(() => portal.secrets.open('factor.secret', own.id, other.secret)).toThrow();
  });

  test('adding an app needs a code of the secret that the portal issued for it, for this account, within 10 minutes (13.4a)', async () => {
    const email = 'adding@klant.nl';
    await portal.user(email, customer);
    const own = testBrowser(portal);
    await own.login(email);
    const begun = (await own.call('POST', '/api/account/factors/totp')).json as {
      token: string;
      secret: string;
    };
    const confirm = (who: Browser, code: string, token = begun.token) =>
      who.call('POST', '/api/account/factors/totp/confirm', { token, factorName: 'Telefoon', code });
    expect(await confirm(own, '000000')).toMatchObject({ status: 400, json: { code: 'invalid' } });
    expect(
      await confirm(
        own,
        totpCodeAt(begun.secret, clock),
        begun.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      ),
    ).toMatchObject({ status: 400 });
    const other = (await withApp()).own;
    expect((await confirm(other, totpCodeAt(begun.secret, clock))).status).toBe(400);
    clock += 10 * 60_000 + 1;
    expect(await confirm(own, totpCodeAt(begun.secret, clock))).toMatchObject({
      status: 400,
      json: { message: 'Dit duurde te lang. Begin opnieuw.' },
    });
    clock -= 120_000;
    const before = own.cookies.get('werkstroom');
    expect(await confirm(own, totpCodeAt(begun.secret, clock))).toMatchObject({ status: 200 });
    // The session has a new token, and the same app cannot be added twice.
    expect(own.cookies.get('werkstroom')).not.toBe(before);
    expect(await isIn(own)).toBe(true);
    expect((await confirm(own, totpCodeAt(begun.secret, clock))).status).toBe(409);
  });
});

describe('guessing at a second factor', () => {
  test('after five guesses at a code the sign-in needs the password again (13.4c)', async () => {
    const { email, code } = await withApp();
    const visitor = testBrowser(portal);
    await visitor.login(email);
    for (let n = 0; n < 4; n++)
      expect(await second(visitor, '000000')).toMatchObject({
        status: 401,
        json: { code: 'second-factor-required' },
      });
    expect(await second(visitor, '000000')).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    expect(await second(visitor, code())).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    await visitor.login(email);
    expect((await second(visitor, code())).status).toBe(200);
  });

  test('simultaneous guesses at a code are all counted (13.4c)', async () => {
    const { email } = await withApp();
    const visitor = testBrowser(portal);
    await visitor.login(email);
    const answers = await Promise.all(Array.from({ length: 12 }, () => second(visitor, '000000')));
    await storeRefusalsNow(portal);
    const looked = await audited(email, 'session.refuse');
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect(looked.reduce((all, { data }) => all + data.count, 0)).toBe(5);
  });

  test('guesses at codes of an account are limited over all addresses, while a known browser still signs in (13.4c)', async () => {
    const { email, own, code } = await withApp();
    const guess = async (n: number) =>
      (await testBrowser(portal).login(email, { totp: '000000' }, `192.0.2.${n}`)).status;
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++) statuses.push(await guess(n));
    expect([statuses.slice(0, 20), statuses.slice(20)]).toEqual([Array(20).fill(401), Array(5).fill(429)]);
    const stranger = testBrowser(portal);
    expect((await stranger.login(email, { totp: code() }, '198.51.100.1')).status).toBe(429);
    expect((await own.login(email, { totp: code() }, '198.51.100.1')).status).toBe(200);
  });

  test('a stranger without the password cannot use up the guesses (13.4c)', async () => {
    const { email, code } = await withApp();
    for (let n = 0; n < 30; n++)
      await testBrowser(portal).login(email, { password: 'wrong', totp: '000000' }, `192.0.2.${n}`);
    expect((await testBrowser(portal).login(email, { totp: code() }, '198.51.100.1')).status).toBe(200);
  });
});

describe('the step between password and factor', () => {
  test('the step between password and factor ends after five minutes, when the password changes, and when the account is deleted (13.4d)', async () => {
    for (const end of [
      `update sign_in_step set expires_at = now() - interval '1 second'`,
      `update account set password_hash = 'another' where email = $1`,
      `delete from account where email = $1`,
      `update organization set is_active = false from account a where a.organization_id = organization.id and a.email = $1`,
    ]) {
      const { email, code } = await withApp();
      const visitor = testBrowser(portal);
      await visitor.login(email);
      await portal.pool.query(end, end.includes('$1') ? [email] : []);
      expect([end, (await second(visitor, code())).status >= 400, await isIn(visitor)]).toEqual([
        end,
        true,
        false,
      ]);
      await portal.pool.query('update organization set is_active = true');
    }
  });

  test('a forged cookie and a cookie of another account do not sign in (13.4d)', async () => {
    const mine = await withApp();
    const theirs = await withApp();
    const visitor = testBrowser(portal);
    visitor.cookies.set('werkstroom-step', 'x'.repeat(43));
    expect((await second(visitor, mine.code())).status).toBe(401);
    await visitor.login(theirs.email);
    expect((await second(visitor, mine.code())).status).toBe(401);
    // A sign-in step ends when the person has signed in with it: its cookie no longer works.
    const used = visitor.cookies.get('werkstroom-step') as string;
    expect((await second(visitor, theirs.code())).status).toBe(200);
    clock += STEP;
    const again = testBrowser(portal);
    again.cookies.set('werkstroom-step', used);
    expect((await second(again, theirs.code())).status).toBe(401);
  });

  test('an account with a second factor never gets a session without that factor (13.4d)', async () => {
    const { email } = await withApp();
    const { rows } = await portal.pool.query('select id, password_hash from account where email = $1', [
      email,
    ]);
    const { id, passwordHash: hash } = rows[0];
    expect(
      await portal.portal.sessions.create(id, hash, false, { address: '', userAgent: '' }),
    ).toBeUndefined();
    expect(await portal.portal.sessions.create(id, hash, true, { address: '', userAgent: '' })).toMatch(
      /^[\w-]{43}$/,
    );
  });

  test("the database holds only the hash of a sign-in step's token, and upkeep deletes expired steps (13.4d)", async () => {
    const { email } = await withApp();
    const visitor = testBrowser(portal);
    await visitor.login(email);
    const token = visitor.cookies.get('werkstroom-step') as string;
    const { rows } = await portal.pool.query('select encode(token_hash, $1) as hash from sign_in_step', [
      'escape',
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ hash }) => hash.includes(token))).toEqual([]);
  });
});

describe('recovery codes', () => {
  test('ten recovery codes are shown once and stored as hashes, and each signs in once (13.4e)', async () => {
    const { email, own, recoveryCodes } = await withApp();
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
    const { rows } = await portal.pool.query(
      `select encode(code_hash, 'escape') as hash from recovery_code r join account a on a.id = r.account_id where a.email = $1`,
      [email],
    );
    expect(rows).toHaveLength(10);
    for (const { hash } of rows)
      for (const code of recoveryCodes) expect(hash).not.toContain(code.slice(0, 5));
    const { rows: stored } = await portal.pool.query<{ codeHash: Buffer; salt: Buffer }>(
      'select code_hash, salt from recovery_code r join account a on a.id = r.account_id where a.email = $1',
      [email],
    );
    const salt = stored[0]?.salt as Buffer;
    const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1, salt };
    const hash = await hashRaw((recoveryCodes[0] as string).replace('-', ''), argon2id);
    expect([salt.length, stored.some(({ codeHash }) => codeHash.equals(hash))]).toEqual([16, true]);
    const typed = (recoveryCodes[3] as string).toLowerCase().replace('-', ' ');
    const visitor = testBrowser(portal);
    await visitor.login(email);
    expect((await second(visitor, typed)).status).toBe(200);
    const again = testBrowser(portal);
    await again.login(email);
    expect((await second(again, typed)).status).toBe(401);
    expect((await own.call('GET', '/api/account/factors')).json).toMatchObject({ recoveryCodes: 9 });
  });

  test('one of two simultaneous sign-ins with the same recovery code succeeds (13.4e)', async () => {
    const { email, recoveryCodes } = await withApp();
    const two = [testBrowser(portal), testBrowser(portal)];
    for (const one of two) await one.login(email);
    const answers = await Promise.all(two.map((one) => second(one, recoveryCodes[0] as string)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('new recovery codes replace the old ones, and do not affect another account (13.4e)', async () => {
    const { email, own, recoveryCodes } = await withApp();
    const stranger = await withApp();
    const { json } = await own.call('POST', '/api/account/factors/recovery-codes');
    const [code] = (json as { recoveryCodes: string[] }).recoveryCodes;
    for (const [tried, status] of [
      [recoveryCodes[0], 401],
      [stranger.recoveryCodes[0], 401],
      [code, 200],
    ] as const) {
      const visitor = testBrowser(portal);
      await visitor.login(email);
      expect((await second(visitor, tried as string)).status).toBe(status);
    }
  });

  test('a second app creates no new recovery codes, and removing the last factor deletes them (13.4e)', async () => {
    const { email, own, recoveryCodes } = await withApp();
    expect((await addAuthenticatorApp(own, clock, 'Tablet')).recoveryCodes).toEqual([]);
    const { factors } = (await own.call('GET', '/api/account/factors')).json as { factors: { id: number }[] };
    for (const { id } of factors)
      expect((await own.call('DELETE', `/api/account/factors?id=${id}`)).status).toBe(200);
    expect((await own.call('GET', '/api/account/factors')).json).toMatchObject({
      factors: [],
      recoveryCodes: 0,
    });
    expect((await testBrowser(portal).login(email)).status).toBe(200);
    expect(await addAuthenticatorApp(own, clock + STEP, 'Weer')).not.toMatchObject({ recoveryCodes });
    expect((await audited(email, 'factor.remove')).map(({ data }) => data.name)).toEqual([
      'Telefoon',
      'Tablet',
    ]);
  });
});

describe("managing one's own factors", () => {
  test('a person sees when each of their second factors was added and used, and no factors of another account (13.4f)', async () => {
    const { email, own, code } = await withApp();
    const stranger = (await withApp()).own;
    await testBrowser(portal).login(email, { totp: code() });
    const { json } = await own.call('GET', '/api/account/factors');
    expect(json).toEqual({
      factors: [
        {
          id: expect.any(Number),
          kind: 'totp',
          name: 'Telefoon',
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: expect.stringMatching(/Z$/),
          isDisabled: false,
        },
      ],
      recoveryCodes: 10,
      isRequired: false,
      canHavePasskeys: true,
    });
    const [{ id }] = (json as unknown as { factors: [{ id: number }] }).factors;
    const renamed = { id, factorName: 'Van mij' };
    expect((await stranger.call('POST', '/api/account/factors/rename', renamed)).status).toBe(404);
    expect((await stranger.call('DELETE', `/api/account/factors?id=${id}`)).status).toBe(404);
    expect((await own.call('POST', '/api/account/factors/rename', renamed)).status).toBe(200);
    expect((await own.call('GET', '/api/account/factors')).json).toMatchObject({
      factors: [{ name: 'Van mij' }],
    });
    const { rows } = await portal.pool.query(
      `select changes from ${AUDIT_ROWS_SQL} where subject = $1 and action = 'factor.rename'`,
      [email],
    );
    expect(rows).toEqual([{ changes: { name: ['Telefoon', 'Van mij'] } }]);
  });

  test('an account has at most ten second factors (13.4f)', async () => {
    const { own } = await withApp();
    for (let n = 2; n <= 10; n++) await addAuthenticatorApp(own, clock, `App ${n}`);
    await expect(addAuthenticatorApp(own, clock, 'App 11')).rejects.toThrow('Je hebt er al 10');
  });

  test('a password reset by mail does not bypass the second factor (13.4g)', async () => {
    const { email, own, code } = await withApp();
    const forgetful = testBrowser(portal);
    const answers = [await forgetful.call('POST', '/api/auth/forgot-password', { email })];
    const mails = async () =>
      (await readMailbox(portal.portal.config.DATA_DIR)).filter(
        ({ to, text }) => to === email && /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.test(text),
      );
    await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
    const mailed = /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec((await mails())[0]?.text ?? '')?.[0];
    const newPassword = 'een heel ander wachtwoord';
    answers.push(
      await forgetful.call('POST', '/api/auth/reset-password-with-code', {
        email,
        code: mailed,
        newPassword,
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([await isIn(forgetful), await isIn(own)]).toEqual([false, false]);
    const asked = await forgetful.login(email, { password: newPassword });
    expect(asked.json.code).toBe('second-factor-required');
    expect((await second(forgetful, code())).status).toBe(200);
  });
});

describe('re-authentication', () => {
  const prove = ({ call }: Browser, given: object) => call('POST', '/api/account/proof', given);

  test('a code re-authenticates its owner, and then no longer works for a sign-in either (13.6k)', async () => {
    const { email, own, code } = await withApp();
    expect((await own.call('POST', '/api/account/proof/options')).json).toEqual({
      hasPassword: true,
      hasApp: true,
      passkey: null,
    });
    const shown = code();
    expect((await prove(own, { code: shown })).status).toBe(200);
    expect(await prove(own, { code: shown })).toMatchObject({
      status: 400,
      json: { message: 'De code klopt niet, of is al gebruikt. Vul de nieuwste code in.' },
    });
    const elsewhere = testBrowser(portal);
    await elsewhere.login(email);
    expect((await second(elsewhere, shown)).status).toBe(401);
  });

  test('re-authentication needs exactly one of password, code and passkey, and its guesses count together with those at sign-in (13.6k)', async () => {
    const { own, recoveryCodes, email } = await withApp();
    for (const wrong of [{}, { code: '123456', password: PASSWORD }])
      expect(await prove(own, wrong)).toMatchObject({
        status: 400,
        json: { message: 'Bevestig met je wachtwoord, een code of een passkey: een van de drie.' },
      });
    expect((await prove(own, { code: recoveryCodes[0] })).status).toBe(200);
    expect((await prove(own, { code: recoveryCodes[0] })).status).toBe(400);
    for (let n = 0; n < 7; n++) expect((await prove(own, { code: '000000' })).status).toBe(400);
    // The wrong codes above used eight of this browser's ten tries.
    const guesses = [];
    for (let n = 0; n < 3; n++) guesses.push((await own.login(email, { totp: '000000' })).status);
    expect(guesses).toEqual([401, 401, 429]);
  });

  test("adding or removing a factor and making new recovery codes is mailed to the account's owner (13.4n)", async () => {
    const { email, own } = await withApp();
    const { json } = await own.call('GET', '/api/account/factors');
    const { id } = (json.factors as { id: number }[])[0] as { id: number };
    await own.call('POST', '/api/account/factors/recovery-codes');
    await own.call('DELETE', `/api/account/factors?id=${id}`);
    const { rows } = await portal.pool.query(
      `select data->>'text' as text from pgboss.job where name = 'mail' and data->>'to' = $1 order by created_on`,
      [email],
    );
    expect(rows.map(({ text }) => /gewijzigd: (.*)/.exec(text)?.[1])).toEqual([
      'de authenticator-app ‘Telefoon’ is toegevoegd als tweede stap bij het inloggen.',
      'er zijn nieuwe herstelcodes gemaakt. De vorige werken niet meer.',
      'de authenticator-app ‘Telefoon’ is verwijderd en werkt niet meer.',
    ]);
  });
});
