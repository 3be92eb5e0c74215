import type pg from 'pg';
import type { Config } from '#server/config.ts';
import {
  firstThreeNamesText,
  notWerkstroomDatabaseError,
  requireDataFolder,
  requireDirectPostgresConnection,
  requireOwner,
  startOrJoinDatabase,
} from '#server/open-database.ts';
import { endPool, openClient, openPool, type Pool } from '#server/platform/database.ts';
import { otherDatabaseClientNames } from '#server/platform/other-database-clients.ts';
import { findLivingOwner } from '#server/platform/postgres/owner-lock.ts';
import { isCluster } from '#server/platform/shards.ts';
import { BackupError } from './backup-error.ts';
import { listDatabaseObjects } from './tables.ts';
import { dropEmptyJobTables } from './waiting-jobs.ts';

/** The database, opened as the role that owns the tables. */
export type BackupDatabase = {
  readonly pool: Pool;
  /** Opens a connection without time limits; closing the database cuts it. */
  client(): Promise<pg.Client>;
  close(): Promise<void>;
};

type Opened = BackupDatabase & {
  /** Name of the database in messages. */
  readonly name: string;
  readonly isJoined: boolean;
  /** True if the database has no tables of Werkstroom yet. */
  readonly isNew: boolean;
};

/** Opens the database that the settings name, without migrating it. @throws StartError, DatabaseStartError */
async function open(config: Config): Promise<Opened> {
  const addresses = await startOrJoinDatabase(config);
  const { owner, ownerSetting: name, runsEmbedded, stop } = addresses;
  // This pool has no time limits, because a migration of a large database may take long.
  const pool = openPool({ ...owner, statement_timeout: 0, query_timeout: 0 }, () => {});
  const { client, cut } = clientsWithoutTimeLimit(owner);
  const close = async () => {
    cut();
    await endPool(pool);
    await stop();
  };
  try {
    await requireDirectPostgresConnection(pool, name);
    const { isNew } = await requireOwner(pool, addresses);
    return { pool, name, isJoined: runsEmbedded === false, isNew, client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens connections without time limits, and cuts all of them together. */
export function clientsWithoutTimeLimit(
  connection: pg.ClientConfig,
): Pick<BackupDatabase, 'client'> & { cut(): void } {
  const clients: pg.Client[] = [];
  let isCut = false;
  return {
    async client() {
      if (isCut) throw new BackupError('The connections of this backup were cut.');
      const client = openClient({ ...connection, application_name: 'werkstroom backup', keepAlive: true });
      // The client is added before it connects, so that cut() also destroys a connection that is being made.
      clients.push(client);
      await client.connect();
      // Overrides the server's limits: the snapshot is held, and a table read, for as long as it takes.
      await client.query(
        'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0',
      );
      return client;
    },
    /** Destroys the sockets: during a COPY a connection cannot be ended politely. */
    cut() {
      isCut = true;
      for (const client of clients) client.connection.stream.destroy();
    },
  };
}

/** Opens the database to back up. @throws StartError if it is not a database of Werkstroom, DatabaseStartError */
export async function openDatabaseToBackUp(config: Config): Promise<BackupDatabase> {
  await requireDataFolder(config);
  const database = await open(config);
  try {
    if (database.isNew) throw notWerkstroomDatabaseError(database.name);
    // The nodes of a cluster share no snapshot, so no other process may write during the backup.
    const others = (await isCluster(database.pool)) ? await otherDatabaseClientNames(database.pool) : [];
    if (others.length > 0)
      throw new BackupError(
        `Another client is connected to the database of ${database.name} (${others.join(', ')}): a cluster is backed up while no portal runs. Stop the portals first.`,
      );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the database to restore into, which must be empty and without other clients.
 * @throws BackupError if it is not empty or has other clients; StartError, DatabaseStartError
 */
export async function openRestoreTarget(config: Config): Promise<BackupDatabase> {
  const inUse = (by: string) =>
    new BackupError(
      `${by} Stop the portal first. A backup is restored where nothing runs. Nothing was changed.`,
    );
  const owner = config.DATABASE_URL ? undefined : await findLivingOwner(config.DATA_DIR);
  if (owner) throw inUse(`Process ${owner.pid} runs the database in DATA_DIR (${config.DATA_DIR}).`);
  const database = await open(config);
  try {
    const { name, pool } = database;
    if (database.isJoined) throw inUse(`Another process runs the database in ${name}.`);
    const others = await otherDatabaseClientNames(pool);
    if (others.length > 0)
      throw inUse(`Another client is connected to the database of ${name} (${others.join(', ')}).`);
    await dropEmptyJobTables(pool);
    const contents = await listDatabaseObjects(pool);
    if (contents.length > 0)
      throw new BackupError(
        `The database of ${name} is not empty: it has ${firstThreeNamesText(contents)}. A backup is restored into an empty one. Nothing was changed.`,
      );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
