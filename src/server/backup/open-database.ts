import { access } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#server/config.ts';
import { isCluster } from '#server/platform/cells.ts';
import { endPool, openPool, type Pool } from '#server/platform/database.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { livingOwner } from '#server/platform/postgres/owner-lock.ts';
import { BackupError } from './command.ts';
import { readContents } from './tables.ts';
import { dropEmptyQueues } from './waiting-jobs.ts';

export type BackupDatabase = {
  readonly pool: Pool;
  /** A connection without time limits; it is cut when the database is closed. */
  client(): Promise<pg.Client>;
  close(): Promise<void>;
};

/** The database of the settings as it is: not migrated. Embedded, it is started, or joined where a portal runs it. */
async function open({ DATABASE_URL, DATA_DIR }: Config): Promise<BackupDatabase & { joined: boolean }> {
  const embedded = DATABASE_URL ? undefined : await startEmbedded({ dataDir: DATA_DIR, log: () => {} });
  const connection: pg.ClientConfig = embedded?.connection ?? { connectionString: DATABASE_URL as string };
  // Without the portal's limits: a migration of a large database takes its time.
  const pool = openPool({ ...connection, statement_timeout: 0, query_timeout: 0 }, () => {});
  const clients: pg.Client[] = [];
  return {
    pool,
    joined: embedded?.owner === false,
    async client() {
      const client = new pg.Client({ ...connection, application_name: 'werkstroom backup', keepAlive: true });
      // One that breaks fails its query; without a listener it would end the process.
      client.on('error', () => {});
      await client.connect();
      clients.push(client);
      // Whatever this server allows others: a snapshot is held, and a table read, for as long as it takes.
      await client.query(
        'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0',
      );
      return client;
    },
    async close() {
      // In the middle of a COPY there is no goodbye.
      for (const client of clients) client.connection.stream.destroy();
      await endPool(pool);
      await embedded?.stop();
    },
  };
}

/** By what they call themselves; undefined: nobody. What a cluster's machines ask each other does not count. */
async function readOthers(pool: Pool): Promise<string[] | undefined> {
  const { rows } = await pool.query<{ others: string[] | null }>(
    `select array_agg(distinct coalesce(nullif(application_name, ''), usename, 'unknown')) as others from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
       and application_name !~ '^citus_'`,
  );
  return rows[0]?.others ?? undefined;
}

const where = ({ DATABASE_URL, DATA_DIR }: Config): string =>
  DATABASE_URL ? 'the database of DATABASE_URL' : `DATA_DIR (${DATA_DIR})`;

/** For a backup. @throws BackupError when it holds no Werkstroom, DatabaseStartError */
export async function openSource(config: Config): Promise<BackupDatabase> {
  const none = () =>
    new BackupError(`There is no Werkstroom in ${where(config)}: check DATABASE_URL or DATA_DIR.`);
  // A look must not make a database.
  if (!config.DATABASE_URL) {
    await access(join(config.DATA_DIR, 'postgres')).catch(() => {
      throw none();
    });
  }
  const database = await open(config);
  try {
    const { rows } = await reached(config, () =>
      database.pool.query<{ ours: boolean }>(
        `select to_regclass('public.schema_migration') is not null as ours`,
      ),
    );
    if (!rows[0]?.ours) throw none();
    // Its machines have no snapshot in common.
    const others = (await isCluster(database.pool)) && (await readOthers(database.pool));
    if (others)
      throw new BackupError(
        `Somebody else is connected to ${where(config)} (${others.join(', ')}): a cluster is backed up while no portal runs. Stop the portals first.`,
      );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * For a restore: an empty database that nobody else uses.
 * @throws BackupError when it is not, DatabaseStartError
 */
export async function openTarget(config: Config): Promise<BackupDatabase> {
  const inUse = (by: string) =>
    new BackupError(
      `${by} Stop the portal first. A backup is restored where nothing runs. Nothing was changed.`,
    );
  const owner = config.DATABASE_URL ? undefined : await livingOwner(config.DATA_DIR);
  if (owner) throw inUse(`Process ${owner.pid} runs the database in ${where(config)}.`);
  const database = await open(config);
  try {
    if (database.joined) throw inUse(`Another process runs the database in ${where(config)}.`);
    const { rows } = await reached(config, () =>
      database.pool.query<{ version: number; encoding: string }>(
        `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding`,
      ),
    );
    const { version = 0, encoding } = rows[0] ?? {};
    const others = await readOthers(database.pool);
    if (version < 150_000) throw new BackupError('PostgreSQL 15 or newer is needed. Nothing was changed.');
    if (encoding !== 'UTF8') {
      throw new BackupError(
        `The encoding of ${where(config)} is ${encoding}, not UTF8: make one with "create database … encoding 'UTF8' template template0". Nothing was changed.`,
      );
    }
    if (others) throw inUse(`Somebody else is connected to ${where(config)} (${others.join(', ')}).`);
    await dropEmptyQueues(database.pool);
    const contents = await readContents(database.pool);
    if (contents.length > 0) {
      const some = contents.slice(0, 3).join(', ');
      throw new BackupError(
        `${where(config)} is not empty: it has ${some}${contents.length > 3 ? ' and more' : ''}. A backup is restored into an empty one. Nothing was changed.`.replace(
          /^./,
          (first) => first.toUpperCase(),
        ),
      );
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function reached<T>(config: Config, look: () => Promise<T>): Promise<T> {
  return look().catch((error: Error) => {
    throw new BackupError(
      `${where(config)} cannot be used: ${error.message}`.replace(/^./, (first) => first.toUpperCase()),
    );
  });
}
