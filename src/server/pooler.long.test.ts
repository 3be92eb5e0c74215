import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import { DIE_WITH_PARENT_PREFIX } from './platform/postgres/account.ts';
import { findDebianPostgres } from './test/external-programs.ts';
import { roleStatementsOfManual } from './test/manual.ts';
import { databaseUrlAs, startServer, type TestPostgresServer } from './test/own-server.ts';
import { findFreePort } from './test/running-portal.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const programs = findDebianPostgres();
const PASSWORD = 'wachtwoord';
let server: TestPostgresServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-pooler-'));
  await chmod(folder, 0o777);
  if (!programs) return;
  server = await startServer(programs);
  await server.asSuperuser(roleStatementsOfManual(PASSWORD));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts PgBouncer in front of the database server. `url` returns its address for a role. */
async function pooler(
  mode: string,
  more = '',
): Promise<{ url(user: string): string; stop(): Promise<void> }> {
  const port = await findFreePort();
  const at = new URL(server.url);
  const file = join(folder, `${port}.ini`);
  await writeFile(
    join(folder, 'users.txt'),
    ['werkstroom', 'werkstroom_app'].map((user) => `"${user}" "${PASSWORD}"`).join('\n'),
  );
  await writeFile(
    file,
    `[databases]
werkstroom = host=127.0.0.1 port=${at.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
${more}
`,
  );
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const [program = '', ...args] = [...DIE_WITH_PARENT_PREFIX, PROGRAM, ...user, file];
  const child = spawn(program, args, { stdio: 'ignore' });
  const gone = new Promise<void>((done) => child.once('close', () => done()));
  await expect
    .poll(
      () =>
        new Promise((done) => {
          const socket = connect(port, '127.0.0.1', () => done(socket.end() && 'open'));
          socket.once('error', () => done('closed'));
        }),
    )
    .toBe('open');
  return {
    url: (role) => {
      const address = new URL(
        databaseUrlAs(server.url, { user: role, password: PASSWORD }, 'werkstroom').connectionString,
      );
      address.port = String(port);
      return address.href;
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

const IGNORING =
  'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,extra_float_digits,lock_timeout';

test.skipIf(!programs || !existsSync(PROGRAM)).each([
  ['transaction', ''],
  ['session', ''],
  ['transaction', IGNORING],
  ['session', IGNORING],
])(
  'PgBouncer with %s pooling is refused with a message that names the setting, also for the application role alone (Debian: pgbouncer) %s (54.1)',
  async (mode, more) => {
    const between = await pooler(mode, more);
    const direct = (user: string) =>
      databaseUrlAs(server.url, { user, password: PASSWORD }, 'werkstroom').connectionString;
    const open = async (owner: string, application: string) => {
      const settings = { MIGRATION_DATABASE_URL: owner, DATABASE_URL: application, DATA_DIR: folder };
      const database = await openDatabase(readConfig(settings), pino({ level: 'silent' }));
      await database.close();
    };
    try {
      await expect(open(between.url('werkstroom'), between.url('werkstroom_app'))).rejects.toThrow(
        /^MIGRATION_DATABASE_URL is the address of a connection pooler such as PgBouncer: .* Give MIGRATION_DATABASE_URL the address of PostgreSQL itself\.$/,
      );
      await expect(open(direct('werkstroom'), between.url('werkstroom_app'))).rejects.toThrow(
        /^DATABASE_URL is the address of a connection pooler/,
      );
    } finally {
      await between.stop();
    }
  },
);
