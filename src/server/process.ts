import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { ensureAdministrator, WeakPasswordError } from './auth/first-start.ts';
import { type Config, ConfigError, secretsOf, warningsOf } from './config.ts';
import { type OutboundWays, openOutboundWays } from './outbound-ways.ts';
import { type ApplicationRole, ApplicationRoleError, giveRights } from './platform/application-role.ts';
import { tellAudit } from './platform/audit.ts';
import { learnCells } from './platform/cells.ts';
import { endPool, openPool, type Pool } from './platform/database.ts';
import { installJobs } from './platform/jobs.ts';
import { openLog } from './platform/log.ts';
import { MigrationError, migrate } from './platform/migrate.ts';
import { endPools, openPools } from './platform/pools.ts';
import { applicationOf } from './platform/postgres/connection.ts';
import { startEmbedded } from './platform/postgres/embedded.ts';
import { DatabaseStartError } from './platform/postgres/start-error.ts';
import {
  openSecrets,
  putNextKey,
  readNextKey,
  type Secrets,
  SecretsKeyError,
  secretsWith,
} from './platform/secrets.ts';
import { openPortal } from './portal.ts';
import { rightsOf, SCHEMA } from './schema.ts';
import { openSealed } from './sealed-columns.ts';
import { stopInOrder, stopOnSignals } from './stop.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A reason not to start that a person can act on; shown without a stack. */
export class StartError extends Error {}

export type OpenedDatabase = {
  pool: Pool;
  connection: pg.ClientConfig;
  /** Of who owns the tables: MIGRATION_DATABASE_URL's role, or the embedded database's; where there is no such role, the same. */
  owner: Pool;
  /** What is allowed, and had better be otherwise. */
  warnings: readonly string[];
  /** Lets go of the database, and stops it where it is ours. */
  close(): Promise<void>;
  /** The two halves of close. */
  letGo(): Promise<void>;
  stop(): Promise<void>;
  /** Calls once when the process that runs the joined database has gone; undefined where none was joined. */
  whenOwnerGoes: ((gone: (message: string) => void) => void) | undefined;
};

/**
 * The database of the settings, at this program's schema: DATABASE_URL's, or the embedded one in DATA_DIR, which is
 * started or, when a running portal has it open, joined. Who owns the tables makes them and says what the portal's own
 * role may do with them.
 */
export async function openDatabase(config: Config, log: Logger): Promise<OpenedDatabase> {
  const warn = (message: string) => log.warn(message);
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded({ dataDir: config.DATA_DIR, log: (line) => log.info(line) });
  const connection: pg.ClientConfig = embedded
    ? applicationOf(embedded.connection)
    : { connectionString: config.DATABASE_URL as string };
  const ownerConnection: pg.ClientConfig = embedded?.connection ?? {
    connectionString: config.MIGRATION_DATABASE_URL ?? (config.DATABASE_URL as string),
  };
  const pool = openPool(connection, warn);
  const owner = openPool({ ...ownerConnection, max: OWNER_CONNECTIONS, idleTimeoutMillis: 1_000 }, warn);
  const warnings: string[] = [];
  const letGo = async () => void (await Promise.all([endPool(pool), endPool(owner)]));
  const stop = async () => embedded?.stop();
  const close = async () => {
    await letGo();
    await stop();
  };
  try {
    const { rows } = await owner.query<{ version: number; encoding: string }>(
      `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding`,
    );
    if ((rows[0]?.version ?? 0) < 150_000) throw new StartError('PostgreSQL 15 or newer is needed.');
    // A cluster that was made where no language is set has SQL_ASCII, which takes bytes for letters.
    if (rows[0]?.encoding !== 'UTF8') {
      throw new StartError(
        `The encoding of the database is ${rows[0]?.encoding}, not UTF8: make one with "create database … encoding 'UTF8' template template0".`,
      );
    }
    await migrate(owner, SCHEMA, config.CELLS);
    await learnCells(owner);
    await installJobs(owner);
    if (embedded || config.MIGRATION_DATABASE_URL) {
      const { user = '', password } = embedded ? applicationOf(embedded.connection) : parseLogin(connection);
      warnings.push(...(await giveRights(owner, { user, password }, await rightsOf(owner))));
    } else if (await isSuperuser(owner)) warnings.push(SUPERUSER);
    // What is wrong with the role's own way in is said here, and not by the first page.
    await pool.query('select from schema_migration limit 1');
  } catch (error) {
    await close();
    const known = [MigrationError, ApplicationRoleError, StartError].some((kind) => error instanceof kind);
    if (!config.DATABASE_URL || known) throw error;
    const which = config.MIGRATION_DATABASE_URL ? 'DATABASE_URL and MIGRATION_DATABASE_URL' : 'DATABASE_URL';
    throw new StartError(`The database of ${which} cannot be used: ${(error as Error).message}`);
  }
  return { pool, connection, owner, warnings, close, letGo, stop, whenOwnerGoes: embedded?.whenOwnerGoes };
}

/** One for upkeep, and one for what is looked up beside it. */
const OWNER_CONNECTIONS = 2;

const SUPERUSER =
  'DATABASE_URL signs in as a superuser of PostgreSQL: whoever finds a hole in the portal has the whole server. Give DATABASE_URL a role without rights of its own, and this one to MIGRATION_DATABASE_URL (docs/operations.md).';

async function isSuperuser(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  return rows[0]?.rolsuper ?? false;
}

/** Whose a connection is, as pg itself reads its address. */
function parseLogin({ connectionString }: pg.ClientConfig): ApplicationRole {
  const { user, password } = new pg.Client({ connectionString });
  return { user: user ?? '', password: password ?? undefined };
}

/** Starts the portal and keeps it running until SIGINT, SIGTERM or SIGHUP; a reason not to start is one or two sentences. */
export async function startProcess(
  settings: () => Config,
  outbound: (config: Config) => OutboundWays = openOutboundWays,
): Promise<void> {
  try {
    await run(settings(), outbound);
  } catch (error) {
    const known = [
      ConfigError,
      StartError,
      MigrationError,
      ApplicationRoleError,
      DatabaseStartError,
      SecretsKeyError,
      WeakPasswordError,
    ].some((kind) => error instanceof kind);
    process.stderr.write(`${known ? (error as Error).message : (error as Error).stack}\n`);
    process.exit(1);
  }
}

async function run(config: Config, outbound: (config: Config) => OutboundWays): Promise<void> {
  const log = openLog(config.LOG_LEVEL, secretsOf(config));
  tellAudit(log);
  // Node itself would print every field of the error, and so what log.ts leaves out.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'The portal ends: an error that nobody expected');
    process.exit(1);
  });
  await prepareDataDir(config.DATA_DIR);
  const database = await openDatabase(config, log);
  try {
    await serve(config, database, log, outbound(config));
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(
  config: Config,
  database: OpenedDatabase,
  log: Logger,
  outbound: OutboundWays,
): Promise<void> {
  const firstAdmin = await ensureAdministrator(database.pool, config);
  const secrets = await openKey(database.pool, config);
  const pools = openPools({ pages: database.pool, owner: database.owner }, database.connection, (message) =>
    log.warn(message),
  );
  const portal = await openPortal(config, pools, database.connection, secrets, log, Date.now, outbound);
  const app = await buildApp(portal, `${ROOT}dist`);
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await portal.close();
    await endPools(pools);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${config.PORT} of ${config.HOST} is in use. Stop that program, or set PORT to another.`,
      );
    }
    throw new StartError(`Cannot listen on ${config.HOST}:${config.PORT}: ${message}`);
  }

  const serving = async () => {
    await app.close();
    await portal.close();
    await endPools(pools);
    await database.letGo();
  };
  const end = stopOnSignals(log, () => stopInOrder(serving, database.stop));
  database.whenOwnerGoes?.(end);
  for (const warning of [...warningsOf(config), ...database.warnings]) log.warn(warning);
  if (firstAdmin) log.info(`The first administrator's e-mail and password are in ${firstAdmin}`);
  log.info(`Werkstroom is open at ${config.PUBLIC_URL}`);
}

/** @throws StartError when it is not the key of this database */
async function openKey(pool: Pool, { SECRETS_KEY, DATA_DIR }: Config): Promise<Secrets> {
  const secrets = await openSecrets(SECRETS_KEY, DATA_DIR);
  if (await openSealed(pool, secrets)) return secrets;
  // A rotation that was killed just after it had ended.
  const next = SECRETS_KEY ? undefined : await readNextKey(DATA_DIR);
  if (next !== undefined && (await openSealed(pool, secretsWith(next)))) {
    await putNextKey(DATA_DIR);
    return secretsWith(next);
  }
  throw new StartError(
    'SECRETS_KEY (or secrets.key in DATA_DIR) is not the key that the secrets in this database were made with. All processes on one database share it.',
  );
}

async function prepareDataDir(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} cannot be written: ${(error as Error).message}. Set DATA_DIR to a folder of your own.`,
    );
  }
}

/** With those above it. Node's own `recursive` tries for ever where nothing can be made, such as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  try {
    await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}
