import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbedded } from './embedded.ts';
import { processState } from './process-state.ts';
import { DatabaseStartError } from './start-error.ts';
import { connectionOf, postmasterPid, queryOnce, startEmbeddedProcess, testFolder } from './test/started.ts';

const quiet = () => {};

test('a first start creates a persistent database with the settings by which a committed transaction survives a crash', async () => {
  const dataDir = path.join(await testFolder(), 'not', 'there', 'yet');
  const first = await startEmbedded({ dataDir, log: quiet });
  expect(first.owner).toBe(true);
  await queryOnce(first.connection, 'create table kept as select 42 as n');
  const rows = await queryOnce(
    first.connection,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'data_checksums',
       'server_encoding', 'TimeZone', 'jit', 'listen_addresses', 'full_page_writes') order by name`,
  );
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  expect(settings).toEqual({
    TimeZone: 'UTC',
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    listen_addresses: '',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
  });
  const [locale] = await queryOnce(
    first.connection,
    'select datlocprovider, datlocale from pg_database where datname = current_database()',
  );
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' });
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700);
  await first.stop();

  const began = performance.now();
  const second = await startEmbedded({ dataDir, log: quiet });
  expect(performance.now() - began).toBeLessThan(5000);
  expect(await queryOnce(second.connection, 'select n from kept')).toEqual([{ n: 42 }]);
  await second.stop();
});

test('stop() ends the postmaster and its processes, also when it is called repeatedly', async () => {
  const dataDir = await testFolder();
  const database = await startEmbedded({ dataDir, log: quiet });
  const postmaster = await postmasterPid(dataDir);
  await Promise.all([database.stop(), database.stop()]);
  await database.stop();
  expect(await processState(postmaster)).toBeUndefined();
  await expect(stat(database.connection.host)).rejects.toThrow('ENOENT');
  expect((await readdir(dataDir)).sort()).toEqual(['owner-1.lock', 'postgres', 'postgres.log']);
});

test('one of two processes that start at once runs the database; the other connects to it, and leaves it running when it stops', async () => {
  const dataDir = await testFolder();
  const both = [startEmbeddedProcess(dataDir), startEmbeddedProcess(dataDir)];
  const answers = await Promise.all(both.map(({ answer }) => answer));
  const owners = answers.map((answer) => 'owner' in answer && answer.owner);
  expect(owners.toSorted()).toEqual([false, true]);

  const owner = both[owners.indexOf(true)]!;
  const joined = both[owners.indexOf(false)]!;
  const connection = await connectionOf(joined);
  expect(connection).toEqual(await connectionOf(owner));
  await joined.stop();
  expect(await queryOnce(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await owner.stop();
  await expect(queryOnce(connection, 'select 1')).rejects.toThrow();
});

test('a second start in the same process uses the running database, and a start after the first has stopped runs the database again', async () => {
  const dataDir = await testFolder();
  const first = await startEmbedded({ dataDir, log: quiet });
  const second = await startEmbedded({ dataDir, log: quiet });
  expect(second.owner).toBe(false);
  await second.stop();
  const client = new pg.Client(second.connection);
  const broken = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await first.stop();
  await broken;
  const third = await startEmbedded({ dataDir, log: quiet });
  expect(third.owner).toBe(true);
  await third.stop();
});

test('embedded databases in different folders run side by side, with a path of 300 bytes, special characters and a private parent folder', async () => {
  const folder = await testFolder();
  await chmod(folder, 0o700);
  const dirs = [
    path.join(folder, 'x'.repeat(200), 'y'.repeat(100)),
    path.join(folder, 'it\'s a folder $HOME "é"'),
  ];
  const databases = await Promise.all(dirs.map((dataDir) => startEmbedded({ dataDir, log: quiet })));
  for (const { connection } of databases)
    expect(await queryOnce(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(databases.map(({ owner }) => owner)).toEqual([true, true]);
  await Promise.all(databases.map(({ stop }) => stop()));
});

test('the database listens on 127.0.0.1 with a password where sockets are unavailable', async () => {
  const dataDir = await testFolder();
  const database = await startEmbedded({ dataDir, log: quiet, transport: 'tcp' });
  const { connection } = database;
  expect(connection.host).toBe('127.0.0.1');
  expect((await stat(path.join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
  await expect(queryOnce({ ...connection, password: 'wrong' }, 'select 1')).rejects.toThrow(
    'password authentication',
  );
  const joined = await startEmbedded({ dataDir, log: quiet });
  expect(joined.connection).toEqual(connection);
  expect(await queryOnce(joined.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await database.stop();
});

/** Returns the environment of a process (Linux). */
const environmentOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((entry) => entry.includes('='));

test.runIf(process.platform === 'linux')(
  "PostgreSQL, and the process that starts it, get none of the portal's settings (13.10c)",
  async () => {
    const dataDir = await testFolder();
    const secret = 'a-secret-of-the-settings';
    const names = ['SECRETS_KEY', 'SMTP_URL', 'ADMIN_PASSWORD', 'METRICS_TOKEN', 'PGPASSWORD', 'OF_TOMORROW'];
    const settings = Object.fromEntries(names.map((name) => [name, secret]));
    const started = startEmbeddedProcess(dataDir, {}, { env: { ...settings, TZ: 'Asia/Tokyo' } });
    await queryOnce(await connectionOf(started), 'select 1');
    const postmaster = await postmasterPid(dataDir);
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    const pids = [postmaster, ...children.trim().split(' ').map(Number)];
    expect(pids.length).toBeGreaterThan(3);
    for (const pid of pids) {
      const raw = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      expect(raw).not.toContain(secret);
    }
    const kept = (await environmentOf(postmaster)).map((entry) => entry.split('=')[0]);
    expect(kept).toContain('PATH');
    const known = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'LC_ALL', 'LANG', 'TZ'];
    expect(kept.filter((name) => !known.includes(name as string) && !name?.startsWith('PG'))).toEqual([]);
    await started.stop();
  },
);

const REFUSED = [
  ['of a newer PostgreSQL', 'PG_VERSION', '19\n', 'PostgreSQL 19'],
  ['of an older PostgreSQL', 'PG_VERSION', '17\n', 'PostgreSQL 17'],
  ['of a newer layout', 'werkstroom.json', '{"layout":2}', 'newer version of Werkstroom'],
  ['with a damaged marker', 'werkstroom.json', '{"lay', 'is damaged'],
] as const;

test.each(REFUSED)(
  'a DATA_DIR %s is refused with a sentence, and nothing in it changes',
  async (_what, file, text, message) => {
    const dataDir = await testFolder();
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', file), text);
    const start = startEmbedded({ dataDir, log: quiet });
    await expect(start).rejects.toBeInstanceOf(DatabaseStartError);
    await expect(start).rejects.toThrow(message);
    expect(await readdir(dataDir, { recursive: true })).toEqual(['postgres', path.join('postgres', file)]);
    expect(await readFile(path.join(dataDir, 'postgres', file), 'utf8')).toBe(text);
  },
);

test('a DATA_DIR that is a file is refused with a message', async () => {
  const file = path.join(await testFolder(), 'file');
  await writeFile(file, '');
  for (const dataDir of [file, path.join(file, 'below')]) {
    const start = startEmbedded({ dataDir, log: quiet });
    await expect(start).rejects.toBeInstanceOf(DatabaseStartError);
    await expect(start).rejects.toThrow('a file is in the way of a folder');
  }
});

test("the error of a failed start contains PostgreSQL's own message, and the next start in the folder succeeds", async () => {
  const dataDir = await testFolder();
  const first = await startEmbedded({ dataDir, log: quiet });
  await first.stop();
  const conf = path.join(dataDir, 'postgres', 'postgresql.conf');
  const good = await readFile(conf, 'utf8');
  await writeFile(conf, `${good}\nno_such_setting = 1\n`);
  const failed = startEmbedded({ dataDir, log: quiet });
  await expect(failed).rejects.toBeInstanceOf(DatabaseStartError);
  await expect(failed).rejects.toThrow(/unrecognized configuration parameter "no_such_setting"/);
  await writeFile(conf, good);
  const second = await startEmbedded({ dataDir, log: quiet });
  expect(second.owner).toBe(true);
  await second.stop();
});

test('a postgres.log of over 10 MB is renamed at the start, and PostgreSQL writes all its messages to a new postgres.log', async () => {
  const dataDir = await testFolder();
  const log = path.join(dataDir, 'postgres.log');
  await writeFile(log, Buffer.alloc(10 * 1024 * 1024 + 1, '.'));
  const started = startEmbeddedProcess(dataDir);
  await expect(queryOnce(await connectionOf(started), 'select 1/0')).rejects.toThrow('division by zero');
  await started.stop();
  expect(started.noise()).toBe('');
  expect((await stat(`${log}.1`)).size).toBe(10 * 1024 * 1024 + 1);
  expect(await readFile(log, 'utf8')).toContain('division by zero');
});
