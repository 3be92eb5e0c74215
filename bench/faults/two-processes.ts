/**
 * Two portal processes on one external database: started at the same moment on an empty database, used at the same time for the same
 * loggers and sessions, and one of them killed.
 */
import pg from 'pg';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { parseMail } from '#server/mail/test/mailbox.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Logger } from '#server/test/loggers.ts';
import type { BenchContext } from '../context.ts';
import { type ExternalCluster, startExternalCluster } from './external-cluster.ts';
import { assertInvariant, type Fault, type FaultResult, secondsText, sleep, waitUntil } from './fault.ts';
import { type FaultPortal, requireNoLoss, startFaultPortal } from './fault-portal.ts';
import { type MailGate, openMailGate } from './mail-gate.ts';
import { makeUploader } from './noise/noise.ts';
import { callPortal, signIn } from './person.ts';
import { refusalsText, startSteadyLoad } from './steady-load.ts';

const STARTS = Number(process.env.FAULT_STARTS ?? 5);
const LOGGERS = 50;
const UPLOADS = 5_000;
const SEEN_WITHIN_MS = 5_000;
const SETTINGS = {
  SECRETS_KEY: '5a'.repeat(32),
  ADMIN_EMAIL: 'baas@werkstroom.example',
  ADMIN_PASSWORD: 'only for the faults',
};
/** More users than the number of mail jobs that one process runs at once (5), so that both processes have mails to send. */
const USERS = ['anna', 'bert', 'carla', 'dirk', 'els', 'frank', 'gijs', 'hans'].map(
  (name) => `${name}@klant.example`,
);
const PASSWORD = 'a password of a customer';

type Both = readonly [FaultPortal, FaultPortal];

export const twoProcesses: Fault = {
  name: 'two processes on one database',
  done: `both processes start at once on an empty database, ${STARTS} times; then ${UPLOADS.toLocaleString('en-GB')} uploads of the same loggers to both, live data, a sign-out, charging mails; kill -9 of one process under load`,
  holds:
    "migrations run once; no upload is refused; no deadlock; within 5 s a process shows the other's data and ends the other's ended session; each mail is sent once; the surviving process runs the jobs of the killed one; every acknowledged upload is stored",
  async run(context) {
    const cluster = await startExternalCluster(context, await context.folder());
    const gate = await openMailGate(context);
    const notes: string[] = [];
    let both: Both | undefined;
    for (let n = 0; n < STARTS; n++) {
      for (const portal of both ?? []) await portal.running().end('SIGTERM');
      both = await startBoth(context, await emptyDatabase(cluster, `round_${n}`), gate);
    }
    const [first] = both as Both;
    const loggers = await first.loggers(LOGGERS);
    await first.withDatabase(({ pool }) => makeUsers(pool));
    notes.push(await uploadOverBoth(both as Both, loggers.slice(1)));
    notes.push(await seeAndLeave(both as Both, loggers[1] as Logger));
    notes.push(await mailOnce(both as Both, gate, loggers[0] as Logger));
    notes.push(await killOne(both as Both, gate, loggers.slice(1)));
    return { rounds: STARTS, notes } satisfies FaultResult;
  },
};

async function emptyDatabase({ url }: ExternalCluster, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const named = new URL(url);
  named.pathname = `/${name}`;
  return named.href;
}

async function startBoth(context: BenchContext, DATABASE_URL: string, gate: MailGate): Promise<Both> {
  const start = async () =>
    startFaultPortal(context, await context.folder(), { ...SETTINGS, DATABASE_URL, SMTP_URL: gate.url });
  const both = await Promise.all([start(), start()]);
  await both[0].withDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ accounts: number; organizations: number }>(
      `select (select count(*)::int from account) as accounts, (select count(*)::int from organization) as organizations`,
    );
    assertInvariant(
      rows[0]?.accounts === 1 && rows[0].organizations === 1,
      `Made twice: ${JSON.stringify(rows[0])}.`,
    );
  });
  return both;
}

async function makeUsers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(`select id from organization where name = 'klant'`);
  const passwordHash = await hashPassword(PASSWORD);
  for (const email of USERS)
    await createAccount(pool, { email, passwordHash, organizationId: rows[0]?.id ?? 0, isConfirmed: true });
}

async function uploadOverBoth(both: Both, loggers: readonly Logger[]): Promise<string> {
  const firstSeconds = Math.floor(Date.now() / 1000) - 86_400;
  const load = startSteadyLoad({ ports: both.map(({ port }) => port), loggers, firstSeconds });
  try {
    await waitUntil(`${UPLOADS} uploads`, 120_000, () => load.count() >= UPLOADS);
  } finally {
    await load.stop();
  }
  assertInvariant(load.refusals.size === 0, `Uploads were refused: ${refusalsText(load)}.`);
  await requireNoLoss(both[0], load.acknowledged);
  await both[0].withDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ n: number }>(
      'select deadlocks::int as n from pg_stat_database where datname = current_database()',
    );
    assertInvariant(rows[0]?.n === 0, `${rows[0]?.n} deadlocks.`);
  });
  return `${load.count().toLocaleString('en-GB')} uploads to both processes: none refused, none lost, no deadlock`;
}

async function seeAndLeave([one, other]: Both, logger: Logger): Promise<string> {
  const cookie = await signIn(one, USERS[0] as string, PASSWORD);
  assertInvariant(
    (await callPortal(other, '/api/live', cookie)).status === 200,
    'A session of one is unknown to the other.',
  );
  const second = Math.floor(Date.now() / 1000);
  const uploadedAt = performance.now();
  assertInvariant(
    (await makeUploader(one, logger)('snapshot.json', JSON.stringify({ GMT_UNIX: second, Soc1: 12 }))) ===
      200,
    'An upload is refused.',
  );
  await waitUntil('the other shows it', SEEN_WITHIN_MS, async () =>
    (await (await callPortal(other, '/api/live', cookie)).text()).includes(String(second)),
  );
  const seen = performance.now() - uploadedAt;
  assertInvariant(
    (await callPortal(one, '/api/auth/logout', cookie, {})).status === 200,
    'Signing out fails.',
  );
  const leftAt = performance.now();
  await waitUntil(
    'the other knows of the sign-out',
    SEEN_WITHIN_MS,
    async () => (await callPortal(other, '/api/live', cookie)).status === 401,
  );
  return `the other process showed an upload after ${secondsText(seen)}, and ended the session after ${secondsText(performance.now() - leftAt)}`;
}

/**
 * Sends snapshots of a machine that starts to charge alternately to both processes.
 * @returns a note about the result
 * @throws InvariantBroken unless each of two subscribers gets exactly one mail about the charging
 */
async function mailOnce(both: Both, gate: MailGate, logger: Logger): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const put = both.map((portal) => makeUploader(portal, logger));
  const report = async (from: number, to: number, charging: boolean) => {
    const signals = charging ? { IsCharging: 1, ChargingCurrent: 40 } : { IsCharging: 0, ChargingCurrent: 0 };
    for (let second = now + from; second < now + to; second += 10) {
      const upload = put[second % put.length] as (typeof put)[number];
      const body = JSON.stringify({ GMT_UNIX: second, Soc1: 50, ...signals });
      assertInvariant((await upload('snapshot.json', body)) === 200, 'An upload is refused.');
    }
  };
  await report(-1_200, -900, false);
  for (const [n, email] of USERS.slice(0, 2).entries()) {
    const portal = both[n] as FaultPortal;
    const cookie = await signIn(portal, email, PASSWORD);
    const { status } = await callPortal(portal, '/api/mail/subscribe', cookie, { serialNumber: 'K-0' });
    assertInvariant(status === 200, `Subscribing is answered ${status}.`);
  }
  await report(-890, -600, false);
  await report(-600, -60, true);
  await waitUntil('two mails about charging', 120_000, () => gate.server.delivered.length >= 2);
  await sleep(35_000); // both processes have evaluated alerts once more
  const mailed = recipients(gate);
  assertInvariant(mailed.join() === USERS.slice(0, 2).join(), `Mails went to ${mailed.join()}.`);
  return 'one charging mail to each of two subscribers';
}

const recipients = ({ server }: MailGate): string[] =>
  server.delivered.map(({ source }) => parseMail(source).to).sort();

async function killOne([one, other]: Both, gate: MailGate, loggers: readonly Logger[]): Promise<string> {
  const before = gate.server.delivered.length;
  gate.shut();
  return one.withDatabase(async ({ pool }) => {
    await pool.query(HOLD_JOBS);
    for (const [n, email] of USERS.entries()) {
      const { status } = await callPortal(n % 2 ? one : other, '/api/auth/forgot-password', undefined, {
        email,
      });
      assertInvariant(status === 200, `Asking for a code is answered ${status}.`);
    }
    await pool.query(LET_JOBS_GO);
    const inHand = async () => (await pool.query<{ n: number }>(IN_HAND)).rows[0]?.n ?? 0;
    await waitUntil('the codes are in work', 20_000, async () => (await inHand()) === USERS.length);
    const firstSeconds = Math.floor(Date.now() / 1000) - 7_200;
    const load = startSteadyLoad({ ports: [one.port, other.port], loggers, firstSeconds });
    try {
      await waitUntil('100 uploads', 60_000, () => load.count() >= 100);
      await other.kill();
      gate.open();
      const killed = load.count();
      await waitUntil('1,000 more', 60_000, () => load.count() >= killed + 1_000);
    } finally {
      await load.stop();
    }
    await requireNoLoss(one, load.acknowledged);
    // Opening the gate closed the connections over which the surviving process was sending mails. Their jobs wait to be retried.
    await waitUntil(
      'the living process puts its mails back',
      30_000,
      async () => (await inHand()) < USERS.length,
    );
    await sleep(2_000);
    const orphans = await inHand();
    assertInvariant(orphans > 0, 'The killed process had no mail in work: this proves nothing.');
    await pool.query(SIX_MINUTES_LATER);
    await waitUntil(
      'every code is mailed',
      180_000,
      () => gate.server.delivered.length >= before + USERS.length,
    );
    await sleep(5_000);
    const codes = recipients(gate).length - before;
    assertInvariant(codes === USERS.length, `${codes} mails for ${USERS.length} codes.`);
    return `kill of one process: ${load.count().toLocaleString('en-GB')} uploads to both, none lost; the killed process was sending ${orphans} of ${USERS.length} mails, and each mail was sent once`;
  });
}

/** Delays new jobs until LET_JOBS_GO releases all at once, so that each process claims some. A process claims at most five. */
const HOLD_JOBS = `create function later() returns trigger language plpgsql as
    $$ begin new.start_after := now() + interval '1 hour'; return new; end $$;
  create trigger later before insert on pgboss.job for each row execute function later()`;
const LET_JOBS_GO = `drop function later() cascade;
  update pgboss.job set start_after = now() where name = 'password-reset' and state = 'created'`;
const IN_HAND = `select count(*)::int as n from pgboss.job where name = 'password-reset' and state = 'active'`;
/** Makes the jobs six minutes older, because another process gets the jobs of a dead process only after five minutes. */
const SIX_MINUTES_LATER = `update pgboss.job set started_on = started_on - interval '6 minutes',
    start_after = start_after - interval '6 minutes'
  where name = 'password-reset' and state in ('active', 'retry')`;
