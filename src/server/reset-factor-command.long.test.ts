import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { addAuthenticatorApp, testBrowser } from './auth/test/browser.ts';
import { type TestPortal, testPortal } from './test/portal.ts';
import { databaseUrlOf } from './test/postgres.ts';
import { COMPILE_CACHE_ENVIRONMENT } from './test/running-portal.ts';
import { splitStderr } from './test/split-stderr.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ REQUIRE_SECOND_FACTOR: 'admin' });
  await portal.user('Enige@portaal.nl', await portal.organization('admin'));
});
afterAll(() => portal.close());

/** Runs `npm run reset-factor` while the portal runs. */
const run = (...args: string[]): Promise<ReturnType<typeof splitStderr> & { code: number; stdout: string }> =>
  new Promise((done) => {
    const { DATA_DIR } = portal.portal.config;
    const env = {
      PATH: process.env.PATH,
      ...COMPILE_CACHE_ENVIRONMENT,
      DATA_DIR,
      DATABASE_URL: databaseUrlOf(portal.connection),
    };
    execFile(process.execPath, ['werkstroom.js', 'reset-factor', ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, ...splitStderr(stderr) }),
    );
  });

test('reset-factor removes the second factor, signs the account out, writes an audit row and a line of JSON, and sends an e-mail (13.4l, 13.9i)', async () => {
  const own = testBrowser(portal);
  await own.login('enige@portaal.nl');
  await addAuthenticatorApp(own, Date.now());
  expect((await testBrowser(portal).login('enige@portaal.nl')).json.code).toBe('second-factor-required');
  expect(await run('ENIGE@portaal.nl')).toEqual({
    code: 0,
    stdout:
      'Enige@portaal.nl has no second factor any more, and is signed out everywhere. The password stays as it is.\n',
    stderr: '',
    auditRows: [
      expect.objectContaining({ action: 'factor.reset', accountId: expect.any(Number), subject: '' }),
    ],
  });
  await expect
    .poll(async () => (await own.call('GET', '/api/auth/validate-token')).json.isAuthenticated)
    .toBe(false);
  expect(await testBrowser(portal).login('enige@portaal.nl')).toMatchObject({
    status: 200,
    json: { user: { lacksFactor: true } },
  });
  const { rows } = await portal.pool.query(
    `select actor, subject from ${AUDIT_ROWS_SQL} where action = 'factor.reset'`,
  );
  expect(rows).toEqual([{ actor: 'npm run reset-factor', subject: 'Enige@portaal.nl' }]);
  // The running portal sends the e-mail that the command queued.
  const subjects = async () =>
    (await readMailbox(portal.portal.config.DATA_DIR))
      .filter(({ to }) => to === 'Enige@portaal.nl')
      .map(({ subject }) => subject);
  await expect.poll(subjects, { timeout: 30_000 }).toContain('Je tweede stap bij het inloggen is weggehaald');
});

test.each([
  ['nobody of that name', ['niemand@portaal.nl'], 'There is no account niemand@portaal.nl.\n'],
  ['no e-mail', [], 'npm run reset-factor -- EMAIL\n'],
  ['two', ['a@b.nl', 'c@d.nl'], 'npm run reset-factor -- EMAIL\n'],
])('the command called with %s gives a sentence and changes nothing (13.4l)', async (_, args, sentence) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout, stderr.startsWith(sentence)]).toEqual([1, '', true]);
});
