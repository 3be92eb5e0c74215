import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { listDatabaseObjects } from './backup/tables.ts';
import type { Config } from './config.ts';
import { type ApplicationRole, ApplicationRoleError, grantRoleRights } from './platform/application-role.ts';
import { type Database, endPool, openPool, type Pool } from './platform/database.ts';
import { installJobs, JOBS_SCHEMA } from './platform/jobs.ts';
import { MigrationError, migrate } from './platform/migrate.ts';
import { applicationConnectionOf } from './platform/postgres/connection.ts';
import { clusterState } from './platform/postgres/data-folder.ts';
import { startEmbedded } from './platform/postgres/embedded.ts';
import { loadShards } from './platform/shards.ts';
import { applicationRightsOf, SCHEMA } from './schema.ts';

/** A reason not to start or not to run a command. A person can act on it, so it is shown without a stack. */
export class StartError extends Error {}

/** Connections to the configured database, for the portal and every command. */
export type DatabaseLogins = {
  /**
   * Login of the role that owns the tables: from MIGRATION_DATABASE_URL, from the embedded database, or from DATABASE_URL if only
   * that is set.
   */
  readonly owner: pg.ClientConfig;
  /** Login of the portal's role; equals the owner's login if only DATABASE_URL is set. */
  readonly application: pg.ClientConfig;
  readonly hasTwoRoles: boolean;
  /** Names of the settings that contain the two logins, for messages. */
  readonly ownerSetting: string;
  readonly applicationSetting: string;
  /** false: another process runs the embedded database. undefined: the database is not embedded. */
  readonly runsEmbedded: boolean | undefined;
  /**
   * Calls `gone` once the process that runs the embedded database has ended; undefined if this process did not join another
   * process's database.
   */
  readonly whenOwnerGoes: ((gone: (message: string) => void) => void) | undefined;
  /** Stops the embedded database, if this process runs it. */
  stop(): Promise<void>;
};

/**
 * Starts the embedded database, or joins the one that a running portal started; does not connect to an external database.
 * @param log receives lines of the embedded database
 * @throws DatabaseStartError
 */
export async function startOrJoinDatabase(
  { DATABASE_URL, MIGRATION_DATABASE_URL, DATA_DIR }: Config,
  log: (line: string) => void = () => {},
): Promise<DatabaseLogins> {
  if (DATABASE_URL) {
    return {
      owner: { connectionString: MIGRATION_DATABASE_URL ?? DATABASE_URL },
      application: { connectionString: DATABASE_URL },
      hasTwoRoles: MIGRATION_DATABASE_URL !== undefined,
      ownerSetting: MIGRATION_DATABASE_URL ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL',
      applicationSetting: 'DATABASE_URL',
      runsEmbedded: undefined,
      whenOwnerGoes: undefined,
      stop: async () => {},
    };
  }
  const embedded = await startEmbedded({ dataDir: DATA_DIR, log });
  const name = `DATA_DIR (${DATA_DIR})`;
  return {
    owner: embedded.connection,
    application: applicationConnectionOf(embedded.connection),
    hasTwoRoles: true,
    ownerSetting: name,
    applicationSetting: name,
    runsEmbedded: embedded.owner,
    whenOwnerGoes: embedded.whenOwnerGoes,
    stop: embedded.stop,
  };
}

export type OpenedDatabase = Pick<DatabaseLogins, 'stop' | 'whenOwnerGoes'> & {
  pool: Pool;
  /** Login of the portal's role. */
  connection: pg.ClientConfig;
  /** Pool of the role that owns the tables; equals `pool` if there is only one role. */
  owner: Pool;
  ownerConnection: pg.ClientConfig;
  /** Sentences about settings that are allowed but unsafe. */
  warnings: readonly string[];
  /** Calls letGo() and stop(). */
  close(): Promise<void>;
  /** Closes the connections of `pool` and `owner`, and leaves the embedded database running. */
  letGo(): Promise<void>;
};

/**
 * Opens, for a command, the database that the settings name. Unlike openDatabase(), never creates a database.
 * @throws StartError, MigrationError, ApplicationRoleError, DatabaseStartError
 */
export async function openExisting(config: Config, log: Logger): Promise<OpenedDatabase> {
  await requireDataFolder(config);
  return openDatabase(config, log, true);
}

/** Requires that DATA_DIR holds a database when the settings name no other. @throws StartError */
export async function requireDataFolder({ DATABASE_URL, DATA_DIR }: Config): Promise<void> {
  if (DATABASE_URL || (await clusterState(join(DATA_DIR, 'postgres'))) !== 'absent') return;
  throw notWerkstroomDatabaseError(`DATA_DIR (${DATA_DIR})`);
}

/**
 * Returns the error for a database without tables of Werkstroom.
 * @param name the setting that names the database, with its value: 'DATA_DIR (/var/lib)'
 */
export const notWerkstroomDatabaseError = (name: string): StartError =>
  new StartError(
    `There is no Werkstroom in ${name}: set DATA_DIR or DATABASE_URL to the portal's, or name its settings file with --env-file. Nothing was made.`,
  );

/**
 * Opens the configured database at this program's schema. The owner of the tables creates them and grants rights to the portal's role.
 * @throws StartError, MigrationError, ApplicationRoleError, DatabaseStartError
 */
export async function openDatabase(config: Config, log: Logger, mustExist = false): Promise<OpenedDatabase> {
  const warn = (message: string) => log.warn(message);
  const addresses = await startOrJoinDatabase(config, (line) => log.info(line));
  const { owner: ownerConnection, application: connection, stop, whenOwnerGoes } = addresses;
  const pool = openPool(connection, warn);
  const owner = openPool({ ...ownerConnection, max: OWNER_CONNECTIONS, idleTimeoutMillis: 1_000 }, warn);
  const letGo = async () => void (await Promise.all([endPool(pool), endPool(owner)]));
  const close = async () => {
    await letGo();
    await stop();
  };
  try {
    const warnings = await prepare(owner, pool, addresses, config.CELLS, mustExist);
    return { pool, connection, owner, ownerConnection, warnings, close, letGo, stop, whenOwnerGoes };
  } catch (error) {
    await close();
    const known = [MigrationError, ApplicationRoleError, StartError].some((kind) => error instanceof kind);
    if (!config.DATABASE_URL || known) throw error;
    throw new StartError(
      `The database of ${addresses.ownerSetting} cannot be used: ${(error as Error).message}`,
    );
  }
}

/** One connection for upkeep, and one for look-ups at the same time. */
const OWNER_CONNECTIONS = 2;

/** Migrates the database. @param shards as for migrate() @returns warnings */
async function prepare(
  owner: Pool,
  pool: Pool,
  addresses: DatabaseLogins,
  shards: number | undefined,
  mustExist: boolean,
): Promise<string[]> {
  await requireDirectPostgresConnection(owner, addresses.ownerSetting);
  const { isNew } = await requireOwner(owner, addresses);
  if (isNew && mustExist) throw notWerkstroomDatabaseError(addresses.ownerSetting);
  // Objects in the schema of the job queues are ignored, because a restore that was killed leaves them behind.
  const others = isNew
    ? (await listDatabaseObjects(owner)).filter((name) => !name.startsWith(`${JOBS_SCHEMA}.`))
    : [];
  if (others.length > 0)
    throw new StartError(
      `The database of ${addresses.ownerSetting} has tables of another program (${firstThreeNamesText(others)}): Werkstroom needs a database of its own. Nothing was changed.`,
    );
  await migrate(owner, SCHEMA, shards);
  await loadShards(owner);
  await installJobs(owner);
  const warnings: string[] = [];
  if (addresses.hasTwoRoles) {
    const role = loginOf(addresses.application);
    warnings.push(...(await grantRoleRights(owner, role, await applicationRightsOf(owner))));
  } else if (await isSuperuser(owner)) warnings.push(SUPERUSER);
  // A wrong login of the application role is reported at the start, not on the first page.
  await requireDirectPostgresConnection(pool, addresses.applicationSetting);
  await pool.query('select from schema_migration limit 1');
  return warnings;
}

/** Returns the first three items of a list as part of a sentence. */
export const firstThreeNamesText = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}`;

/** Matches PgBouncer's error about the time limits that each connection sets when it starts. */
const POOLED = /unsupported startup parameter/;
const poolerSentence = (name: string): string =>
  `${name} is the address of a connection pooler such as PgBouncer: the portal keeps connections of its own, with time limits, locks and notifications that a pooler does not pass. Give ${name} the address of PostgreSQL itself.`;

/**
 * Requires a direct connection to a PostgreSQL that the portal can use.
 * @param name the name of the setting that contains the address
 * @throws StartError
 */
export async function requireDirectPostgresConnection(pool: Pool, name: string): Promise<void> {
  const client = await pool.connect().catch((error: Error) => {
    throw new StartError(
      POOLED.test(error.message)
        ? poolerSentence(name)
        : `The database of ${name} cannot be used: ${error.message}`,
    );
  });
  try {
    const { rows } = await client.query<{ version: number; encoding: string; pid: number }>(
      `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding,
         pg_backend_pid() as pid`,
    );
    const { version = 0, encoding, pid } = rows[0] ?? {};
    // A pooler that accepts and drops the time limits reports its own process number.
    if (pid !== processOf(client)) throw new StartError(poolerSentence(name));
    if (version < 150_000) throw new StartError('PostgreSQL 15 or newer is needed. Nothing was changed.');
    // A cluster created without a locale has SQL_ASCII, which treats bytes as characters.
    if (encoding !== 'UTF8')
      throw new StartError(
        `The encoding of the database of ${name} is ${encoding}, not UTF8: make one with "create database … encoding 'UTF8' template template0". Nothing was changed.`,
      );
  } finally {
    client.release();
  }
}

/** Returns the process number that the server sent when the connection was made. The types of pg do not contain this field. */
const processOf = (client: pg.PoolClient): number | undefined =>
  (client as unknown as { processID?: number }).processID;

/**
 * Requires that the owner's address signs in as the owner: the role owns the existing tables, or may create them.
 * @returns isNew whether there are no tables of Werkstroom yet
 * @throws StartError that names the setting
 */
export async function requireOwner(
  db: Database,
  { ownerSetting, owner, application, hasTwoRoles }: DatabaseLogins,
): Promise<{ isNew: boolean }> {
  const { rows } = await db.query<{
    me: string;
    tablesOf: string | null;
    owns: boolean | null;
    makes: boolean;
  }>(
    `select current_user as me, pg_get_userbyid(c.relowner) as tables_of, pg_has_role(c.relowner, 'usage') as owns,
       has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as makes
     from (select to_regclass('public.schema_migration') as of) as ours left join pg_class c on c.oid = ours.of`,
  );
  const { me = '', tablesOf = null, owns = false, makes = false } = rows[0] ?? {};
  if (tablesOf === null ? makes : owns) return { isNew: tablesOf === null };
  const reason =
    tablesOf === null
      ? `may not create tables and schemas in this database`
      : `does not own its tables: ${tablesOf} does`;
  const whose = tablesOf === null ? "the database's owner" : tablesOf;
  const todo = !hasTwoRoles
    ? `Set MIGRATION_DATABASE_URL to the address of ${whose}, beside DATABASE_URL (docs/operations.md).`
    : tablesOf !== null && loginOf(application).user === tablesOf && loginOf(owner).user !== tablesOf
      ? 'The addresses of MIGRATION_DATABASE_URL and DATABASE_URL are swapped.'
      : `Give ${ownerSetting} the address of ${whose}.`;
  throw new StartError(`${ownerSetting} signs in as ${me}, which ${reason}. ${todo} Nothing was changed.`);
}

const SUPERUSER =
  'DATABASE_URL signs in as a superuser of PostgreSQL: a vulnerability in the portal would expose the whole server. Give DATABASE_URL a role without rights of its own, and this one to MIGRATION_DATABASE_URL (docs/operations.md).';

async function isSuperuser(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  return rows[0]?.rolsuper ?? false;
}

/** Returns the role of a connection, read from its address as pg does. */
function loginOf(connection: pg.ClientConfig): ApplicationRole {
  const { user, password } = new pg.Client(connection);
  return { user: user ?? '', password: password ?? undefined };
}
