/** Follows the manual (docs/operations.md) from the first start to a new key. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readUploadSettings } from '#server/logger-config/test/upload-settings.ts';
import { addAuthenticatorApp, type Browser, testBrowserAt } from './auth/test/browser.ts';
import { startEmbedded } from './platform/postgres/embedded.ts';
import { packagedPrograms } from './platform/postgres/programs.ts';
import { CANDUMP_DBC, candumpLineAt } from './telemetry/test/logs.ts';
import { findDebianPostgres } from './test/external-programs.ts';
import { commandsOfManual, databaseStatementOfManual, roleStatementsOfManual } from './test/manual.ts';
import { databaseUrlAs, startServer, type TestPostgresServer } from './test/own-server.ts';
import { PASSWORD } from './test/portal.ts';
import {
  environmentOf,
  findFreePort,
  type RunningPortal,
  startPortal,
  untilHealthy,
} from './test/running-portal.ts';
import { splitStderr } from './test/split-stderr.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Commands of the manual that these tests cannot run, because their programs belong to an operating system, a network or a container. */
const NOT_RUN = /^(useradd|git|install|cp|mv|curl|systemctl|cat|docker|journalctl) /;
/** Command of the manual that is run before any test begins. */
const INSTALL = 'npm ci && npm run build';

const commands = commandsOfManual().filter((line) => !NOT_RUN.test(line) && line !== INSTALL);
/**
 * Returns the manual's command that has this ending. Of several it returns the longest: in a block for systemd, settings precede the
 * command.
 */
function the(ending: string): string {
  const [longest] = commands.filter((line) => line.endsWith(ending)).sort((a, b) => b.length - a.length);
  if (longest === undefined) throw new Error(`The manual has no command ${ending}.`);
  return longest;
}
const BACKUP = the('npm run backup -- --env-file /etc/werkstroom.env FILE');
const VERIFY = the('npm run backup -- --verify FILE');
const RESTORE = the('npm run restore -- --env-file /etc/werkstroom.env FILE');
const IMPORT = the('npm run import -- --env-file /etc/werkstroom.env …');
const RESET_FACTOR = the('npm run reset-factor -- --env-file /etc/werkstroom.env EMAIL');
const ROTATE_KEY = the('npm run rotate-key -- --env-file /etc/werkstroom.env');

test('the tests of this file run each command of the manual (54.3)', () => {
  const run = [the('npm start'), BACKUP, VERIFY, RESTORE, IMPORT, RESET_FACTOR, ROTATE_KEY];
  // The text of the manual also names commands without their arguments.
  const names = run.map((line) => /npm run [\w-]+/.exec(line)?.[0]);
  expect(commands.filter((line) => !run.includes(line) && !names.includes(line))).toEqual([]);
});

/** Settings for a new portal with an empty database. */
type Place = { readonly settings: Record<string, string>; readonly dataDir: string };
type Postgres = {
  newPlace(): Promise<Place>;
  /** Runs a statement as the server's administrator, in this portal's database. */
  administer(place: Place, sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
};

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-manual-'));
  folders.push(folder);
  return folder;
}

async function ask(connection: pg.ClientConfig, sql: string, values: readonly unknown[] = []) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** A PostgreSQL with the manual's two roles, which makes a database for each portal of the test by the manual's statement. */
async function twoRoles(programs: string): Promise<Postgres> {
  const server: TestPostgresServer = await startServer(programs);
  await server.asSuperuser(roleStatementsOfManual(PASSWORD));
  let count = 0;
  const nameOf = ({ settings }: Place) => new URL(settings.DATABASE_URL as string).pathname.slice(1);
  return {
    async newPlace() {
      count += 1;
      const name = count === 1 ? 'werkstroom' : `werkstroom${count}`;
      if (count > 1) await server.asSuperuser(databaseStatementOfManual(name));
      const as = (user: string) =>
        databaseUrlAs(server.url, { user, password: PASSWORD }, name).connectionString;
      const urls = { MIGRATION_DATABASE_URL: as('werkstroom'), DATABASE_URL: as('werkstroom_app') };
      const dataDir = await newFolder();
      return { settings: { ...urls, DATA_DIR: dataDir }, dataDir };
    },
    async administer(place, sql, values) {
      const url = new URL(server.url);
      url.pathname = `/${nameOf(place)}`;
      return ask({ connectionString: url.href }, sql, values);
    },
    stop: server.stop,
  };
}

/** Runs each portal of the test on an embedded PostgreSQL in the portal's own data folder. */
const embedded: Postgres = {
  async newPlace() {
    const dataDir = await newFolder();
    return { settings: { DATA_DIR: dataDir }, dataDir };
  },
  async administer({ dataDir }, sql, values) {
    const joined = await startEmbedded({ dataDir, log: () => {} });
    try {
      return await ask(joined.connection, sql, values);
    } finally {
      await joined.stop();
    }
  },
  async stop() {},
};

const debian = findDebianPostgres();
const packaged = join(packagedPrograms(), 'bin');
const versionOf = (programs: string): string =>
  /\d+/.exec(spawnSync(`${programs}/postgres`, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? '?';

const SETUPS: [name: string, own: () => Promise<Postgres>, other: () => Promise<Postgres>][] = [
  [`PostgreSQL ${versionOf(packaged)} with two roles`, () => twoRoles(packaged), async () => embedded],
  ['the embedded PostgreSQL', async () => embedded, () => twoRoles(packaged)],
];
if (debian)
  SETUPS.unshift([
    `PostgreSQL ${versionOf(debian)} with two roles`,
    () => twoRoles(debian),
    async () => embedded,
  ]);
else process.stdout.write('Skipped: the manual on a PostgreSQL of Debian. None is installed.\n');

/** Returns the lines of a portal's log of level warn and above. */
const warningsIn = (output: string): string[] =>
  output.split('\n').filter((line) => /"level":(?:[45]0|60)/.test(line));

const DAY = 86_400_000;
const NOW = Date.now();
/** A time whose week has no partition yet, and whose positions an organization may have erased. */
const LONG_AGO = NOW - 60 * DAY;
/** Returns the name of a partition: ISO year and week. */
const weekOf = (ms: number): string => {
  const thursday = new Date(ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY + 3 * DAY);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / (7 * DAY)) + 1;
  return `${thursday.getUTCFullYear()}w${String(week).padStart(2, '0')}`;
};

describe.each(SETUPS)('the manual on %s (54.3)', (_name, openOwn, openOther) => {
  let own: Postgres;
  let other: Postgres;
  let place: Place;
  let portal: RunningPortal;
  /** The administrator's browser, signed in to the portal that runs now. */
  let admin: Browser;
  let email: string;
  let recoveryCodes: string[];
  let upload: (signals: Record<string, number>) => Promise<unknown>;
  let uploadLog: (name: string, body: string) => Promise<unknown>;
  let output = '';
  let key = '11'.repeat(32);

  beforeAll(async () => {
    own = await openOwn();
    other = await openOther();
    place = await own.newPlace();
  });
  afterAll(async () => {
    await portal?.end('SIGKILL');
    await own.stop();
    await other.stop();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  const settingsOf = ({ settings }: Place) => ({ ...settings, SECRETS_KEY: key });
  let port = 0;
  /** Runs `npm start` with the setting of .env.example and those of this portal. */
  async function start(at: Place = place): Promise<RunningPortal> {
    port ||= await findFreePort();
    const started = startPortal(at.dataDir, at === place ? port : await findFreePort(), {
      REQUIRE_SECOND_FACTOR: 'admin',
      ...settingsOf(at),
    });
    await untilHealthy(started);
    return started;
  }
  async function stop(): Promise<void> {
    await portal.end('SIGTERM');
    output += portal.output();
  }
  async function restart(): Promise<void> {
    await stop();
    portal = await start();
  }

  /** Runs a command of the manual with its placeholders replaced. */
  async function run(command: string, values: Record<string, string>, at: Place = place) {
    const settingsFile = join(at.dataDir, 'werkstroom.env');
    const lines = Object.entries(settingsOf(at)).filter(([name]) => name !== 'DATA_DIR');
    await writeFile(settingsFile, lines.map(([name, value]) => `${name}=${value}\n`).join(''));
    const line = Object.entries({
      'sudo -u werkstroom ': '',
      '/etc/werkstroom.env': settingsFile,
      '/var/lib/werkstroom': at.dataDir,
      '/run/werkstroom': tmpdir(),
      ...values,
    }).reduce((text, [from, to]) => text.replaceAll(from, to), command);
    const { PORT: _, DATA_DIR: __, ...bare } = environmentOf(at.dataDir, 0);
    // A command that names the settings file takes no settings from the environment.
    const env = command.includes('--env-file') ? bare : { ...bare, ...settingsOf(at) };
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
      execFile('sh', ['-c', line], { env }, (error, stdout, stderr) =>
        done({ code: error ? error.code : 0, stdout, stderr: splitStderr(stderr).stderr }),
      ),
    );
  }
  const worked = { code: 0, stderr: '' };

  async function call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) {
    const { status, json } = await admin.call(method, url, body);
    expect([url, status, json.message]).toEqual([url, 200, json.message]);
    return json;
  }
  async function makeMachine(organization: string, serial: string, logger: string): Promise<void> {
    const form = { brand: 'Merk', model: 'Model', alias: `Machine ${serial}`, bedrijf: organization };
    const details = { influx_serial: logger, macaddress: '00:00:5e:00:53:01', capacity: '100' };
    await call(
      'GET',
      `/api/machine/create?${new URLSearchParams({ ...form, ...details, machine_serial: serial })}`,
    );
    await call('GET', `/api/machine/writer/create?serienummer=${serial}&influxserienummer=${logger}`);
  }
  const count = async (sql: string, values: readonly unknown[] = [], at: Place = place, on: Postgres = own) =>
    Number((await on.administer(at, `select count(*) as n from ${sql}`, values))[0]?.n);
  /** Returns the number of readings of M-1: those in the table, and those of closed weeks, which are in files. */
  const readings = async (at: Place = place, on: Postgres = own): Promise<number> => {
    const stored = `select (select count(*) from reading where stream_id = s.id)
      + coalesce((select sum(readings) from reading_file where stream_id = s.id), 0) as n from stream s where serial = 'M-1'`;
    return Number((await on.administer(at, stored))[0]?.n);
  };

  test('the first start creates an administrator, who chooses a password and adds a second factor', async () => {
    portal = await start();
    admin = testBrowserAt(portal.address);
    const file = join(place.dataDir, 'first-admin.txt');
    const [address = '', password = ''] = (await readFile(file, 'utf8')).trim().split('\n');
    email = address;
    expect((await admin.login(email, { password })).status).toBe(200);
    await call('POST', '/api/account/password', { present: password, new: PASSWORD });
    expect(await readdir(place.dataDir)).not.toContain('first-admin.txt');
    recoveryCodes = (await addAuthenticatorApp(admin, Date.now())).recoveryCodes;
  });

  test('a machine is created, and its logger is configured and uploads', async () => {
    for (const name of ['klant', 'weg'])
      await call('GET', `/api/organization/create?name=${name}&clean=${name}`);
    await makeMachine('klant', 'M-1', '7000001');
    await makeMachine('weg', 'M-2', '7000002');
    await call('POST', '/api/machine/dbc/upload', {
      serial: 'M-1',
      name: 'own.dbc',
      file: `data:application/octet-stream;base64,${Buffer.from(CANDUMP_DBC).toString('base64')}`,
    });
    const definition = await call('GET', '/api/machine/dbc/M-1');
    await call('POST', '/api/machine/dbc/mapping', {
      serial: 'M-1',
      version: definition.version,
      mapping: { signals: [{ signal: 'PackSoc', to: 'Soc1' }], keep: [] },
    });
    await call('GET', '/api/machine/config/create?serienummer=M-1');
    const { text } = await call('GET', '/api/machine/config/download?serienummer=M-1');
    const { accessKey, secret, bucket } = readUploadSettings(String(text));
    const client = new S3Client({
      endpoint: portal.address,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secret },
    });
    const put = (name: string, Body: string) =>
      client.send(new PutObjectCommand({ Bucket: bucket, Key: `WS_SN7000001/${name}`, Body }));
    upload = (signals) => put('snapshot.json', JSON.stringify(signals));
    uploadLog = put;
    const second = Math.floor(Date.now() / 1000);
    await upload({ GMT_UNIX: second, Soc1: 60, LATITUDE: 52, LONGITUDE: 5 });
    await uploadLog('WS_1.log', candumpLineAt(second + 10));
    expect(await readings()).toBe(3);
  });

  test('a recorded log is imported while the portal runs, into weeks that have no partition yet', async () => {
    const rows = [0, 1, 2].map((n) => `${new Date(LONG_AGO + n * 10_000).toISOString()},${50 + n},52.1,5.1`);
    const log = join(place.dataDir, 'export.csv');
    await writeFile(log, ['time,Soc1,LATITUDE,LONGITUDE', ...rows, ''].join('\n'));
    for (const serial of ['M-1', 'M-2']) {
      const output = await run(IMPORT, { '…': `--machine ${serial} --log ${log}` });
      expect(output).toEqual({ ...worked, stdout: expect.stringContaining('\n3 new readings; ') });
    }
    expect(await count('pg_class where relname = $1', [`reading_${weekOf(LONG_AGO)}`])).toBe(1);
  });

  test('a backup of a running portal is verified, and restored into a new database, into another PostgreSQL, and back', async () => {
    const file = join(place.dataDir, 'first.backup');
    expect(await run(BACKUP, { FILE: file })).toEqual({
      ...worked,
      stdout: expect.stringMatching(/ read back\.\n$/),
    });
    const verified = await run(VERIFY, { FILE: file });
    expect(verified).toMatchObject(worked);
    const [copy, elsewhere, back] = [await own.newPlace(), await other.newPlace(), await own.newPlace()];
    const second = join(place.dataDir, 'second.backup');
    expect(await run(RESTORE, { FILE: file }, copy)).toMatchObject(worked);
    expect(await run(RESTORE, { FILE: file }, elsewhere)).toMatchObject(worked);
    expect(await run(BACKUP, { FILE: second }, elsewhere)).toMatchObject(worked);
    expect(await run(RESTORE, { FILE: second }, back)).toMatchObject(worked);
    for (const [at, on] of [
      [copy, own],
      [elsewhere, other],
      [back, own],
    ] as const) {
      const restored = await start(at);
      const person = testBrowserAt(restored.address);
      expect((await person.login(email, { totp: recoveryCodes.pop() })).status).toBe(200);
      expect((await person.call('GET', '/api/machine/get/all')).json).toMatchObject([{}, {}]);
      expect(await readings(at, on)).toBe(6);
      await restored.end('SIGTERM');
      expect(warningsIn(restored.output())).toEqual([]);
    }
  });

  test('a start after an update creates next week’s partitions and indexes a past week', async () => {
    const next = weekOf(NOW + 7 * DAY);
    for (const table of ['reading', 'rollup']) await own.administer(place, `drop table ${table}_${next}`);
    await restart();
    const partitions = () => count(`pg_class where relname in ('reading_${next}', 'rollup_${next}')`);
    await expect.poll(partitions, { timeout: 30_000 }).toBe(2);
    const indexes = () => count(`pg_class where relname = 'rollup_${weekOf(LONG_AGO)}_whole'`);
    await expect.poll(indexes, { timeout: 150_000 }).toBe(1);
  });

  test('expired positions of an organization are erased', async () => {
    await call('POST', '/api/organization/privacy', {
      name: 'klant',
      routesFrom: 'gebruiker',
      viewerHours: null,
      positionDays: 31,
    });
    await restart();
    const start = encodeURIComponent(new Date(LONG_AGO - DAY).toISOString());
    const places = async () =>
      (await admin.call('GET', `/api/influx/gps/M-1?start=${start}&resolution=full`)).json;
    await expect.poll(places, { timeout: 150_000 }).toHaveLength(1);
    expect(await readings()).toBe(6);
  });

  test('stored log files are decoded again', async () => {
    await call('POST', '/api/machine/dbc/redecode', { serial: 'M-1', preview: false });
    const state = async () =>
      ((await call('GET', '/api/machine/dbc/M-1/redecode')).redecoding as { state: string }).state;
    await expect.poll(state, { timeout: 150_000 }).toBe('done');
    expect(await readings()).toBe(6);
  });

  test('a deleted machine is removed with all its weeks after the grace period, and then its organization can be deleted', async () => {
    await call('DELETE', '/api/machine/delete?machine_serial=M-2');
    const [{ id } = {}] = await own.administer(place, 'select id from stream where deleted_at is not null');
    await own.administer(
      place,
      `update stream set deleted_at = deleted_at - interval '31 days' where id = $1`,
      [id],
    );
    await restart();
    // The stream's own row is deleted last.
    const left = () => count('stream where id = $1', [id]);
    await expect.poll(left, { timeout: 150_000 }).toBe(0);
    for (const table of ['reading', 'reading_file'])
      expect(await count(`${table} where stream_id = $1`, [id])).toBe(0);
    await call('DELETE', '/api/organization/delete/?name=weg');
    expect(await count(`organization where name = 'weg'`)).toBe(0);
  });

  test('an entry of the log that is older than LOG_DAYS is removed', async () => {
    const [{ id } = {}] = await own.administer(place, 'select min(id) as id from audit');
    await own.administer(place, `update audit set at = at - interval '401 days' where id = $1`, [id]);
    await restart();
    const left = () => count('audit where id = $1', [id]);
    await expect.poll(left, { timeout: 150_000 }).toBe(0);
  });

  test("an administrator's second factor is removed while the portal runs", async () => {
    expect(await run(RESET_FACTOR, { EMAIL: email })).toMatchObject(worked);
    admin = testBrowserAt(portal.address);
    expect(await admin.login(email)).toMatchObject({ status: 200, json: { user: { lacksFactor: true } } });
  });

  test('a new key encrypts the stored secrets, and loggers keep uploading', async () => {
    await stop();
    const old = key;
    key = '22'.repeat(32);
    const rotated = { ...place, settings: { ...place.settings, SECRETS_KEY_OLD: old } };
    expect(await run(ROTATE_KEY, {}, rotated)).toMatchObject(worked);
    portal = await start();
    await upload({ GMT_UNIX: Math.floor(Date.now() / 1000), Soc1: 59 });
    expect(await readings()).toBe(7);
    await stop();
    expect(warningsIn(output)).toEqual([]);
  });
});
