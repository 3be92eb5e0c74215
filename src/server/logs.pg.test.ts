import { request } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#server/mail/test/mail-server.ts';
import { parseMail } from '#server/mail/test/mailbox.ts';
import { openLog } from '#server/platform/log.ts';
import { type FleetLogger, TestFleet } from '#server/telemetry/test/fleet.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { SCRIPT_HEADERS } from './test/by-script.ts';
import { connectionToDatabase } from './test/postgres.ts';

/** Values that no log line may contain. */
const EMAIL = 'kanarie.piet@kanarievogel.nl';
const DEFERRED = 'kanarie.niemand@kanarievogel.nl';
const REFUSED = 'kanarie.geweigerd@kanarievogel.nl';
const PASSWORD = 'Kanarie-wachtwoord-1';
const WRONG = 'Zonnedauw-verkeerd-2';
const TOKEN = 'kanarie-token-voor-prometheus';
const SMTP_PASSWORD = 'kanarie-smtp';
const QUERY = 'kanarie-vraag';

const lines: string[] = [];
let mails: MailServer;
let fleet: TestFleet;
let logger: FleetLogger;
const canaries = new Set([
  EMAIL,
  DEFERRED,
  REFUSED,
  'kanarie.',
  PASSWORD,
  WRONG,
  TOKEN,
  SMTP_PASSWORD,
  QUERY,
]);

beforeAll(async () => {
  mails = await startMailServer(0, {
    refuse: (to) => (to === REFUSED ? 550 : to === DEFERRED ? 450 : undefined),
  });
  const settings = {
    METRICS_TOKEN: TOKEN,
    SMTP_URL: `smtp://portaal:${SMTP_PASSWORD}@127.0.0.1:${mails.port}`,
    PUBLIC_URL: 'https://portaal.example.nl',
  };
  // The log gets an empty list of secrets to redact, so the test fails if any code passes a secret of the settings to the log.
  const log = openLog('trace', [], { write: (line: string) => void lines.push(line) });
  fleet = await TestFleet.open(settings, log);
  logger = await fleet.newLogger();
  canaries.add(logger.secret);
  const { rows } = await fleet.portal.pool.query<{ code: string }>('select code from organization');
  for (const { code } of rows) canaries.add(code);
});
afterAll(async () => {
  await fleet.close();
  await mails.close();
});

const post = async (url: string, payload: object, cookie = '') => {
  const answer = await fetch(`${fleet.portal.address}${url}?${QUERY}=${EMAIL}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...SCRIPT_HEADERS,
      cookie,
      authorization: `Bearer ${TOKEN}`,
    },
    body: JSON.stringify(payload),
  });
  for (const set of answer.headers.getSetCookie()) canaries.add(/=([^;]*)/.exec(set)?.[1] || QUERY);
  return answer;
};
const isLogged = (text: string) => lines.some((line) => line.includes(text));
async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; !holds() && n < 200; n += 1) await new Promise((again) => setTimeout(again, 100));
  expect(holds()).toBe(true);
}

/** Returns the code in the only mail about a reset. */
const codeIn = (mails: readonly { readonly source: string }[]): RegExpExecArray | undefined =>
  mails
    .map(({ source }) => /^([A-Z0-9]{4})-([A-Z0-9]{4})$/m.exec(parseMail(source).text) ?? undefined)
    .find(Boolean);

// Skipped on a cluster, because the test also reads the log of the embedded PostgreSQL, which a cluster does not have.
test.skipIf(CITUS_CONNECTION)(
  'no log line contains a secret or personal data, whatever fails (API-02, AUTH-06)',
  async () => {
    const { pool, address } = fleet.portal;
    const code = (await pool.query<{ code: string }>('select code from organization')).rows[0]?.code;

    // Registrations, of which the database rejects one with an error that names the row.
    await pool.query(`alter table account add constraint test_refusal check (email <> '${DEFERRED}')`);
    expect(
      (await post('/api/auth/register', { email: EMAIL, password: PASSWORD, organizationCode: code })).status,
    ).toBe(200);
    const failed = await post('/api/auth/register', {
      email: DEFERRED,
      password: PASSWORD,
      organizationCode: code,
    });
    expect(failed.status).toBe(500);
    const requestId = failed.headers.get('x-request-id') as string;
    expect(lines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId)).toMatchObject({
      level: 50,
      msg: 'Unexpected error',
      err: { type: 'error', code: '23514', message: expect.stringContaining('test_refusal') },
    });
    await pool.query('alter table account drop constraint test_refusal');
    await post('/api/auth/register', { email: DEFERRED, password: PASSWORD, organizationCode: code });
    await post('/api/auth/register', { email: REFUSED, password: PASSWORD, organizationCode: code });

    // A wrong and a correct sign-in; three password resets: the first mail arrives, the second is postponed, the third is refused.
    expect((await post('/api/auth/login', { email: EMAIL, password: WRONG })).status).toBe(401);
    const signedIn = await post('/api/auth/login', { email: EMAIL, password: PASSWORD });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    await post('/api/auth/login', { email: `${'x'.repeat(400)}${EMAIL}`, password: PASSWORD });
    for (const email of [EMAIL, DEFERRED, REFUSED]) await post('/api/auth/forgot-password', { email });
    await until(
      () =>
        codeIn(mails.delivered) !== undefined &&
        isLogged("A job of 'password-reset' failed") &&
        isLogged('permanently refused'),
    );
    const mailed = codeIn(mails.delivered);
    canaries.add(mailed?.[0] as string).add(`${mailed?.[1]}${mailed?.[2]}`);
    const reset = { email: EMAIL, newPassword: WRONG };
    expect((await post('/api/auth/reset-password-with-code', { ...reset, code: 'AAAA-AAAA' })).status).toBe(
      400,
    );
    const done = await post('/api/auth/reset-password-with-code', { ...reset, code: mailed?.[0] });
    expect(done.status).toBe(200);

    // Malformed requests, and requests without a route.
    await post('/api/live/%zz', {}, cookie);
    await fetch(`${address}/metrics?token=${TOKEN}`, {
      headers: { cookie, authorization: `Bearer ${TOKEN}` },
    });
    await fetch(`${address}/nergens/${EMAIL}?code=${QUERY}`, { headers: { cookie } });
    await new Promise((done) =>
      request(`${address}/api/auth/login?${QUERY}`, {
        method: 'POST',
        headers: { ...SCRIPT_HEADERS, cookie, 'content-length': 9 },
      })
        .on('error', () => {})
        .once('close', done)
        .once('socket', (socket) => setTimeout(() => socket.destroy(), 100))
        .flushHeaders(),
    );

    // Uploads with a right and a wrong signature, readable and unreadable, and one that the database rejects.
    await fleet.snapshot(logger, { GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 1 });
    await fleet.putStatus(logger, 'a_snapshot.json', `{"${EMAIL}": ${PASSWORD}`);
    await fleet.putStatus({ ...logger, secret: `${logger.secret}0` }, 'a_snapshot.json', '{}');
    await fleet.putStatus({ ...logger, accessKey: 'KANARIESLEUTEL000000' }, 'a_snapshot.json', '{}');
    await pool.query(`alter table object add constraint test_refusal check (key not like '%geweigerd%')`);
    const refusedKey = `geweigerd-${EMAIL}_snapshot.json`;
    await fleet.putStatus(
      logger,
      refusedKey,
      JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000), note: PASSWORD }),
    );

    // PostgreSQL's own log in DATA_DIR has no DETAIL and no STATEMENT. The administrator of an external server decides about its log.
    const isOurs = process.env.TEST_DATABASE_URL === undefined;
    const { rows } = await pool.query<{ verbosity: string; statement: string; database: string }>(
      `select current_setting('log_error_verbosity') as verbosity, current_setting('log_min_error_statement') as statement,
       current_database() as database`,
    );
    const { database, ...settings } = rows[0] as (typeof rows)[number];
    if (isOurs) expect(settings).toEqual({ verbosity: 'terse', statement: 'panic' });

    // The database becomes unreachable.
    const admin = new pg.Client(connectionToDatabase(fleet.portal.connection, 'postgres'));
    await admin.connect();
    await admin.query(`alter database ${database} allow_connections false`);
    // Processes without `usename`, such as autovacuum, may be ended by a superuser only.
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename is not null',
      [database],
    );
    await admin.end();
    for (const url of ['/api/auth/login', '/api/auth/register', '/api/auth/forgot-password']) {
      const answer = await post(url, { email: EMAIL, password: PASSWORD, organizationCode: code }, cookie);
      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9A-F]{16}$/);
    }
    await fetch(`${address}/api/machine/get/serial?serial=${QUERY}`, { headers: { cookie } });
    expect(await fleet.putStatus(logger, 'b_snapshot.json', '{}')).toBe(503);

    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(
      expect.arrayContaining([
        'Unexpected error',
        "A job of 'password-reset' failed and is tried again later",
        'A mail was permanently refused',
        'A delivery could not be stored and is quarantined',
        'An upload was put off',
      ]),
    );
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        time: expect.any(Number),
        level: expect.any(Number),
        msg: expect.any(String),
      });
      for (const canary of canaries) expect(line).not.toContain(canary);
    }
  },
);
