import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  DIE_WITH_PARENT_PREFIX,
  parsePasswdUsers,
  postgresEnvironment,
} from '#server/platform/postgres/account.ts';
import { findFreePort } from './running-portal.ts';

export type TestPostgresServer = {
  /** URL for the superuser, database `postgres`. */
  readonly url: string;
  /** Runs statements in a database one after the other. */
  asSuperuser(sql: string, database?: string): Promise<void>;
  stop(): Promise<void>;
};

/** Returns the server's address for another role and, where given, another database. */
export function databaseUrlAs(
  url: string,
  { user, password }: { readonly user: string; readonly password: string },
  database?: string,
): { connectionString: string } {
  const address = new URL(url);
  address.username = user;
  address.password = password;
  if (database) address.pathname = `/${database}`;
  return { connectionString: address.href };
}

/**
 * Starts a PostgreSQL server like that of a customer: over TCP, with passwords. Its data folder is deleted when it stops.
 * @param programs the folder with initdb and postgres
 */
export async function startServer(programs: string): Promise<TestPostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-external-'));
  const data = join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  await writeFile(join(folder, 'password'), password);
  const account = otherThanRoot();
  if (account)
    for (const path of [folder, join(folder, 'password')]) chownSync(path, account.uid, account.gid);
  const how = { ...account, cwd: '/', env: postgresEnvironment() };

  const made = spawnSync(
    `${programs}/initdb`,
    [
      `--pgdata=${data}`,
      '--username=dba',
      '--auth=scram-sha-256',
      `--pwfile=${join(folder, 'password')}`,
    ].concat(['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions']),
    { ...how, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb of ${programs}: ${made.stderr || made.error?.message}`);

  const port = await findFreePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
  ];
  const command = [`${programs}/postgres`, '-D', data, '-p', String(port)].concat(
    settings.flatMap((s) => ['-c', s]),
  );
  const [file = '', ...args] =
    process.platform === 'linux' ? [...DIE_WITH_PARENT_PREFIX, ...command] : command;
  const server = spawn(file, args, { ...how, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-4_000);
  });
  const gone = new Promise<void>((done) => server.once('close', () => done()));
  const stop = async () => {
    server.kill('SIGQUIT');
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `postgres://dba:${password}@127.0.0.1:${port}/postgres`;
  try {
    await untilItAnswers(url, () => printed);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    stop,
    async asSuperuser(sql, database = 'postgres') {
      const client = new pg.Client(databaseUrlAs(url, { user: 'dba', password }, database));
      await client.connect();
      try {
        // One statement at a time, because `create database` cannot run in a transaction.
        for (const statement of sql.split(';')) if (statement.trim()) await client.query(statement);
      } finally {
        await client.end();
      }
    },
  };
}

/** Returns an unprivileged account that starts PostgreSQL, which refuses to run as root; undefined if the tests do not run as root. */
function otherThanRoot(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = parsePasswdUsers(readFileSync('/etc/passwd', 'utf8'));
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  return user && { uid: user.uid, gid: user.gid };
}

async function untilItAnswers(url: string, printed: () => string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    const answered = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (answered) return;
    if (Date.now() > deadline) throw new Error(`The PostgreSQL for the tests did not start:\n${printed()}`);
    await new Promise((again) => setTimeout(again, 50));
  }
}
