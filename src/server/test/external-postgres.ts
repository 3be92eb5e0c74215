import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { DIES_WITH_US, environment, namedUsers } from '#server/platform/postgres/account.ts';
import { debianPrograms } from './external-programs.ts';
import { dropTemplate, makeTemplate } from './postgres.ts';
import { freePort } from './running-portal.ts';

/**
 * The customer's own PostgreSQL for the run: EXTERNAL_DATABASE_URL (a role that may create databases), else Debian's
 * programs with a cluster in a folder that goes again. Without either nothing is provided, and nothing needs it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = debianPrograms();
  const given = process.env.EXTERNAL_DATABASE_URL;
  if (!given && !programs) {
    process.stdout.write(
      'Skipped: server-external. There is no EXTERNAL_DATABASE_URL and no postgresql-15 or newer of Debian.\n',
    );
    return async () => {};
  }
  const cluster = given ? undefined : await startCluster(programs as string);
  const connection = { connectionString: given || (cluster?.url as string) };
  try {
    await makeTemplate(connection, cluster?.application);
  } catch (error) {
    await cluster?.stop();
    throw error;
  }
  project.provide('postgres', connection);
  project.provide('application', cluster ? loginAs(cluster.url, cluster.application) : connection);
  return async () => {
    if (cluster) await cluster.stop();
    else await dropTemplate(connection);
  };
}

type Login = { readonly user: string; readonly password: string };
type Cluster = { readonly url: string; readonly application: Login; stop(): Promise<void> };

function loginAs(url: string, { user, password }: Login): { connectionString: string } {
  const address = new URL(url);
  address.username = user;
  address.password = password;
  return { connectionString: address.href };
}

/** As a customer's: over TCP, with passwords; a role that owns the tables and is no superuser, and one for the portal. */
async function startCluster(programs: string): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-external-'));
  const data = join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  await writeFile(join(folder, 'password'), password);
  const account = otherThanRoot();
  if (account)
    for (const path of [folder, join(folder, 'password')]) chownSync(path, account.uid, account.gid);
  const how = { ...account, cwd: '/', env: environment() };

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

  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
  ];
  const command = [`${programs}/postgres`, '-D', data, '-p', String(port)].concat(
    settings.flatMap((s) => ['-c', s]),
  );
  const [file = '', ...args] = process.platform === 'linux' ? [...DIES_WITH_US, ...command] : command;
  const server = spawn(file, args, { ...how, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const gone = new Promise<void>((done) => server.once('close', () => done()));
  const stop = async () => {
    server.kill('SIGQUIT');
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const dba = `postgres://dba:${password}@127.0.0.1:${port}/postgres`;
  try {
    await untilItAnswers(dba, () => said);
    const client = new pg.Client(dba);
    await client.connect();
    await client.query(`create role klant login createdb password '${password}'`);
    await client.query(`create role klant_portaal login password '${password}'`);
    await client.end();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://klant:${password}@127.0.0.1:${port}/postgres`,
    application: { user: 'klant_portaal', password },
    stop,
  };
}

/** PostgreSQL refuses root: Debian's account for it, else nobody. */
function otherThanRoot(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = namedUsers(readFileSync('/etc/passwd', 'utf8'));
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  return user && { uid: user.uid, gid: user.gid };
}

async function untilItAnswers(url: string, said: () => string): Promise<void> {
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
    if (Date.now() > deadline) throw new Error(`The PostgreSQL for the tests does not start:\n${said()}`);
    await new Promise((again) => setTimeout(again, 50));
  }
}
