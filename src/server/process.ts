import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { type Logger, pino } from 'pino';
import { buildApp } from './app.ts';
import { ensureAdministrator } from './auth/first-start.ts';
import { type Config, ConfigError } from './config.ts';
import { openPool, type Pool } from './platform/database.ts';
import { MigrationError, migrate } from './platform/migrate.ts';
import { startEmbedded } from './platform/postgres/embedded.ts';
import { DatabaseStartError } from './platform/postgres/start-error.ts';
import { isKeyOf, openSecrets } from './platform/secrets.ts';
import { openPortal } from './portal.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A reason not to start that a person can act on; shown without a stack. */
class StartError extends Error {}

export type OpenedDatabase = { pool: Pool; connection: pg.ClientConfig; close(): Promise<void> };

/**
 * The database of the settings, at this program's schema: DATABASE_URL's, or the embedded one in DATA_DIR, which is
 * started or, when a running portal has it open, joined.
 */
export async function openDatabase(config: Config, log: Logger): Promise<OpenedDatabase> {
  const warn = (message: string) => log.warn(message);
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded({ dataDir: config.DATA_DIR, log: (line) => log.info(line) });
  const connection: pg.ClientConfig = embedded?.connection ?? {
    connectionString: config.DATABASE_URL as string,
  };
  const pool = openPool(connection, warn);
  const close = async () => {
    await pool.end();
    await embedded?.stop();
  };
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::integer as version`,
    );
    if ((rows[0]?.version ?? 0) < 150_000) throw new StartError('PostgreSQL 15 or newer is needed.');
    await migrate(pool, `${ROOT}migrations`);
  } catch (error) {
    await close();
    if (config.DATABASE_URL && !(error instanceof MigrationError) && !(error instanceof StartError)) {
      throw new StartError(`The database of DATABASE_URL cannot be used: ${(error as Error).message}`);
    }
    throw error;
  }
  return { pool, connection, close };
}

/** Starts the portal and keeps it running until SIGINT or SIGTERM; a reason not to start is one or two sentences. */
export async function startProcess(settings: () => Config): Promise<void> {
  try {
    await run(settings());
  } catch (error) {
    const known = [ConfigError, StartError, MigrationError, DatabaseStartError].some(
      (kind) => error instanceof kind,
    );
    process.stderr.write(`${known ? (error as Error).message : (error as Error).stack}\n`);
    process.exit(1);
  }
}

async function run(config: Config): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL, base: null });
  await prepareDataDir(config.DATA_DIR);
  const database = await openDatabase(config, log);
  const firstAdmin = await ensureAdministrator(database.pool, config);
  const secrets = await openSecrets(config.SECRETS_KEY, config.DATA_DIR);
  if (!(await isKeyOf(database.pool, secrets))) {
    await database.close();
    throw new StartError(
      'SECRETS_KEY (or secrets.key in DATA_DIR) is not the key that the secrets in this database were made with. All processes on one database share it.',
    );
  }
  const portal = await openPortal(config, database.pool, database.connection, secrets, log);
  const app = await buildApp(portal, `${ROOT}dist`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // Takes no new requests, answers those under way, stores what was taken, and stops the database last.
    app
      .close()
      .then(() => portal.close())
      .then(() => database.close())
      .catch((error: Error) => log.error({ err: error }, 'The portal did not stop cleanly'))
      .then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await portal.close();
    await database.close();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${config.PORT} of ${config.HOST} is in use. Stop that program, or set PORT to another.`,
      );
    }
    throw new StartError(`Cannot listen on ${config.HOST}:${config.PORT}: ${message}`);
  }
  warnOfPlainHttp(config, log);
  if (firstAdmin) log.info(`The first administrator's e-mail and password are in ${firstAdmin}`);
  log.info(`Werkstroom is open at ${config.PUBLIC_URL}`);
}

async function prepareDataDir(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} cannot be written: ${(error as Error).message}. Set DATA_DIR to a folder of your own.`,
    );
  }
}

function warnOfPlainHttp({ PUBLIC_URL }: Config, log: Logger): void {
  const { protocol, hostname } = new URL(PUBLIC_URL);
  const here = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'http:' && !here) {
    log.warn(
      'PUBLIC_URL is plain http: passwords and cookies travel unprotected, and browsers send fewer safeguards. Use https.',
    );
  }
}
