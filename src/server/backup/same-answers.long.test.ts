import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#server/auth/new-account.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { type Browser, testBrowserAt } from '#server/auth/test/browser.ts';
import { readConfig } from '#server/config.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type OpenedDatabase, openDatabase } from '#server/open-database.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { findDebianPostgres } from '#server/test/external-programs.ts';
import { type Logger, makeLoggers } from '#server/test/loggers.ts';
import { databaseStatementOfManual, roleStatementsOfManual } from '#server/test/manual.ts';
import { databaseUrlAs, startServer, type TestPostgresServer } from '#server/test/own-server.ts';
import { PASSWORD } from '#server/test/portal.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { REPORT_KINDS } from '#shared/domain/reports/kinds.ts';
import { uploadUntilStopped } from './test/fleet-to-keep.ts';
import { runCommand } from './test/run.ts';

const SECRETS_KEY = '11'.repeat(32);
const QUESTIONS = 200;
const SEED = Number(process.env.QUESTION_SEED ?? Math.floor(Math.random() * 2 ** 31));
const DAY = 86_400_000;
const DAYS = 40;
/** Midnight UTC, 2 days ago. During the test only later readings are uploaded, and answers about earlier days are final. */
const UNTIL = Math.floor(Date.now() / DAY) * DAY - 2 * DAY;
const TENANTS = ['noord', 'zuid', 'west'];
const MACHINES = 3;

const programs = findDebianPostgres();
let server: TestPostgresServer;
let folder: string;
let portal: RunningPortal;
let database: OpenedDatabase;
const fleets = new Map<string, Logger[]>();

const settingsOf = (name: string) => {
  const as = (user: string) => databaseUrlAs(server.url, { user, password: PASSWORD }, name).connectionString;
  const urls = { MIGRATION_DATABASE_URL: as('werkstroom'), DATABASE_URL: as('werkstroom_app') };
  return { ...urls, DATA_DIR: folder, SECRETS_KEY };
};

beforeAll(async () => {
  if (!programs) return;
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-answers-'));
  server = await startServer(programs);
  await server.asSuperuser(roleStatementsOfManual(PASSWORD));
  await server.asSuperuser(databaseStatementOfManual('copy'));
  portal = startPortal(folder, await findFreePort(), settingsOf('werkstroom'));
  await untilHealthy(portal);
  database = await openDatabase(readConfig(settingsOf('werkstroom')), pino({ level: 'silent' }));
  const passwordHash = await hashPassword(PASSWORD);
  for (const [n, name] of TENANTS.entries()) {
    const kind = { organization: name, prefix: name, first: 3_000_000 + n * 100 };
    const loggers = await makeLoggers(database.pool, deriveSecrets(SECRETS_KEY), MACHINES, kind);
    fleets.set(name, loggers);
    const { rows } = await database.pool.query('select id from organization where name = $1', [name]);
    const organizationId = rows[0].id;
    const email = `baas@${name}.nl`;
    await createAccount(database.pool, {
      email,
      passwordHash,
      organizationId,
      role: 'beheerder',
      isConfirmed: true,
    });
    await database.pool.query(`update ownership set valid_from = $2 where stream_id = any ($1)`, [
      loggers.map(({ streamId }) => streamId),
      new Date(UNTIL - 100 * DAY),
    ]);
    for (const [m, { streamId }] of loggers.entries())
      await storeTestReadings(database.pool, streamId, drives(n * MACHINES + m));
  }
}, 300_000);
afterAll(async () => {
  if (!programs) return;
  await database?.close();
  await portal?.end('SIGKILL');
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the readings of a machine that works and charges on two days out of three; the days and the hour differ per machine. */
const drives = (machine: number) =>
  Array.from({ length: DAYS }, (_, n) => UNTIL - (n + 1) * DAY + (6 + machine / 2) * 3_600_000)
    .filter((_, n) => (n + machine) % 3 !== 0)
    .flatMap((begin, day) =>
      Array.from({ length: 540 }, (_, n) => {
        const isWorking = n < 360;
        return {
          time: begin + n * 20_000,
          signals: {
            LATITUDE: 52 + machine / 10 + n / 20_000,
            LONGITUDE: 5 + day / 1_000,
            Speed: isWorking ? n % 7 : 0,
            MotorSpeed: isWorking ? 900 : 0,
            Soc1: isWorking ? 90 - n / 10 : 54 + (n - 360) / 5,
            BatteryVoltage: 400,
            BatteryCurrent: isWorking ? (n % 5 ? 60 + machine : -20) : -40,
            ChargingCurrent: isWorking ? 0 : 40,
            IsCharging1: isWorking ? 0 : 1,
            OilTemp: 40 + (n % 30),
          },
        };
      }),
    );

/** Waits until the portal has computed each day of each machine, which it does in the background. */
async function untilComputed(address: string): Promise<void> {
  for (const [n, tenant] of TENANTS.entries()) {
    const person = testBrowserAt(address);
    expect((await person.login(`baas@${tenant}.nl`)).status).toBe(200);
    for (let machine = 0; machine < MACHINES; machine++) {
      const driven = new Set(drives(n * MACHINES + machine).map(({ time }) => Math.floor(time / DAY)));
      const months = new Set([...driven].map((day) => new Date(day * DAY).toISOString().slice(0, 7)));
      const counted = async () => {
        const answers = await Promise.all(
          [...months].map((month) =>
            person.call('GET', `/api/influx/days/${tenant}-${machine}?month=${month}`),
          ),
        );
        return answers.flatMap(({ json }) => json.days as unknown[]).length;
      };
      await expect.poll(counted, { timeout: 200_000, interval: 500 }).toBeGreaterThanOrEqual(driven.size);
    }
  }
}

/**
 * Waits until the first upload of each uploading machine is stored and the days before this upload are computed: from then on those
 * days do not change.
 */
async function untilFinal(address: string): Promise<void> {
  for (const tenant of TENANTS) {
    const person = testBrowserAt(address);
    expect((await person.login(`baas@${tenant}.nl`)).status).toBe(200);
    const month = new Date(UNTIL - DAY).toISOString().slice(0, 7);
    const provisional = async () => {
      const { json } = await person.call('GET', `/api/influx/days/${tenant}-0?month=${month}`);
      const days = json.days as readonly { readonly date: string; readonly isProvisional: boolean }[];
      const end = new Date(UNTIL).toISOString().slice(0, 10);
      return days.filter(({ date, isProvisional }) => isProvisional && date < end).length;
    };
    await expect.poll(provisional, { timeout: 60_000, interval: 500 }).toBe(0);
  }
}

/** Generates the path of a request about a random machine, and the tenant that sends it. Each tenant has machines 0, 1 and 2. */
const question = fc
  .record({
    kind: fc.constantFrom(
      'gps',
      'driverhours',
      'workpower',
      'powerback',
      'day',
      'days',
      'signals',
      'values',
      'sessions',
      'report',
    ),
    tenant: fc.constantFrom(...TENANTS),
    machine: fc.nat(MACHINES - 1),
    ago: fc.integer({ min: 1, max: DAYS + 5 }),
    length: fc.integer({ min: 1, max: 20 }),
    minute: fc.nat(1439),
    report: fc.constantFrom(...REPORT_KINDS),
  })
  .map(({ kind, tenant, machine, ago, length, minute, report }) => {
    const from = UNTIL - ago * DAY - minute * 60_000;
    const to = Math.min(from + length * DAY, UNTIL);
    const [start, end] = [from, to].map((ms) => encodeURIComponent(new Date(ms).toISOString()));
    const [first, last] = [from, to - DAY].map((ms) => new Date(ms).toISOString().slice(0, 10));
    // Answers of these kinds contain today, which changes for machine 0 because it uploads, so machine 1 is asked about instead.
    const isOpen = kind === 'driverhours' || kind === 'days';
    const serial = `${tenant}-${isOpen ? Math.max(1, machine) : machine}`;
    const list = (...values: string[]) => encodeURIComponent(JSON.stringify(values));
    const addresses: Record<typeof kind, string> = {
      gps: `/api/influx/gps/${serial}?start=${start}&end=${end}&resolution=${length % 2 ? 'screen' : 'full'}`,
      driverhours: `/api/influx/driverhours/${serial}`,
      workpower: `/api/influx/workpower/${serial}?start=${start}&stop=${end}`,
      powerback: `/api/influx/powerback/${serial}?start=${start}&stop=${end}`,
      day: `/api/influx/day/${serial}?start=${start}&end=${end}`,
      days: `/api/influx/days/${serial}?month=${first?.slice(0, 7)}`,
      signals: `/api/influx/signals/${serial}?start=${start}`,
      values: `/api/influx/signals/${serial}/values?names=${list('OilTemp')}&start=${start}&end=${end}`,
      sessions: `/api/influx/sessions/${serial}?start=${start}&end=${end}`,
      report: `/api/report/${report}?from=${first}&to=${(last as string) < (first as string) ? first : last}&machines=${list(serial)}&signals=${list('Soc1')}&step=300`,
    };
    return { tenant, address: addresses[kind] };
  });

/** Returns the answers with their statuses. */
async function answersOf(address: string, questions: readonly { tenant: string; address: string }[]) {
  const people = new Map<string, Browser>();
  for (const tenant of TENANTS) {
    const person = testBrowserAt(address);
    expect((await person.login(`baas@${tenant}.nl`)).status).toBe(200);
    people.set(tenant, person);
  }
  const answers: unknown[] = [];
  for (const asked of questions) {
    const { status, json } = await (people.get(asked.tenant) as Browser).call('GET', asked.address);
    // A report contains the time at which it was made.
    const text = JSON.stringify(json).replace(/Gemaakt op [^"]*? om [\d:]+/, 'Gemaakt');
    answers.push({ ...asked, status, text });
  }
  return answers as { address: string; status: number; text: string }[];
}

test.skipIf(!programs)(
  `a backup of a portal under load, restored under two roles, answers ${QUESTIONS} calls of all tenants as the portal did (54.3)`,
  { timeout: 600_000 },
  async () => {
    await untilComputed(portal.address);
    const questions = fc.sample(question, { seed: SEED, numRuns: QUESTIONS });
    const busy = TENANTS.map((name) => fleets.get(name)?.[0] as Logger);
    const loads = busy.map((logger) => uploadUntilStopped(portal.address, logger));
    await untilFinal(portal.address);
    const before = await answersOf(portal.address, questions);
    const file = join(folder, 'busy.backup');
    const stored = async (of: OpenedDatabase): Promise<number> => {
      const since = { from: UNTIL + 1, to: Number.POSITIVE_INFINITY };
      const rows = busy.map(({ streamId }) => storedRows(of.pool, streamId, [], since));
      return (await Promise.all(rows)).flat().length;
    };
    const storedBefore = await stored(database);
    expect(await runCommand('backup', file, settingsOf('werkstroom'))).toMatchObject({ code: 0, stderr: '' });
    const acknowledged = (await Promise.all(loads.map((load) => load.stop()))).reduce((a, b) => a + b);
    expect(await runCommand('restore', file, settingsOf('copy'))).toMatchObject({ code: 0, stderr: '' });

    const copy = startPortal(folder, await findFreePort(), settingsOf('copy'));
    await untilHealthy(copy);
    await untilComputed(copy.address);
    const copied = await openDatabase(readConfig(settingsOf('copy')), pino({ level: 'silent' }));
    try {
      const seed = `QUESTION_SEED=${SEED}`;
      const after = await answersOf(copy.address, questions);
      for (const [n, answer] of after.entries()) expect(answer, seed).toEqual(before[n]);
      const wrong = before.filter(({ status }) => status !== 200);
      expect(wrong, seed).toEqual([]);
      // Most answers must have content, or the comparison would prove nothing.
      const empty = before.filter(({ text }) => text.length < 20);
      expect(empty.length, seed).toBeLessThan(QUESTIONS / 2);
      const storedAfter = await stored(copied);
      expect(storedBefore).toBeGreaterThan(0);
      expect(storedAfter).toBeGreaterThanOrEqual(storedBefore);
      expect(storedAfter).toBeLessThanOrEqual(acknowledged);
    } finally {
      await copied.close();
      await copy.end('SIGTERM');
    }
  },
);
