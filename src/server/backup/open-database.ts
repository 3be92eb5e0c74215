import pg from 'pg';
import type { Config } from '#server/config.ts';
import {
  named,
  noWerkstroom,
  reachDatabase,
  requireDataFolder,
  requireOwner,
  requireServer,
} from '#server/open-database.ts';
import { endPool, openPool, type Pool } from '#server/platform/database.ts';
import { otherClients } from '#server/platform/other-clients.ts';
import { livingOwner } from '#server/platform/postgres/owner-lock.ts';
import { isCluster } from '#server/platform/shards.ts';
import { BackupError } from './backup-error.ts';
import { readContents } from './tables.ts';
import { dropEmptyQueues } from './waiting-jobs.ts';

/** As the role that owns the tables. */
export type BackupDatabase = {
  readonly pool: Pool;
  /** A connection without time limits; it is cut when the database is closed. */
  client(): Promise<pg.Client>;
  close(): Promise<void>;
};

type Opened = BackupDatabase & {
  /** For sentences. */
  readonly name: string;
  readonly isJoined: boolean;
  /** There are no tables of Werkstroom yet. */
  readonly isNew: boolean;
};

/** The database of the settings as it is: not migrated. @throws StartError, DatabaseStartError */
async function open(config: Config): Promise<Opened> {
  const addresses = await reachDatabase(config);
  const { owner, ownerSetting: name, runsEmbedded, stop } = addresses;
  // Without the portal's limits: a migration of a large database takes its time.
  const pool = openPool({ ...owner, statement_timeout: 0, query_timeout: 0 }, () => {});
  const { client, cut } = patientClients(owner);
  const close = async () => {
    cut();
    await endPool(pool);
    await stop();
  };
  try {
    await requireServer(pool, name);
    const { isNew } = await requireOwner(pool, addresses);
    return { pool, name, isJoined: runsEmbedded === false, isNew, client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connections without time limits, which are all cut together. */
export function patientClients(
  connection: pg.ClientConfig,
): Pick<BackupDatabase, 'client'> & { cut(): void } {
  const clients: pg.Client[] = [];
  let isCut = false;
  return {
    async client() {
      if (isCut) throw new BackupError('The connections of this backup were cut.');
      const client = new pg.Client({ ...connection, application_name: 'werkstroom backup', keepAlive: true });
      // One that breaks fails its query; without a listener it would end the process.
      client.on('error', () => {});
      // Before it connects: one that is connecting is cut too.
      clients.push(client);
      await client.connect();
      // Whatever this server allows others: a snapshot is held, and a table read, for as long as it takes.
      await client.query(
        'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0',
      );
      return client;
    },
    /** In the middle of a COPY there is no goodbye. */
    cut() {
      isCut = true;
      for (const client of clients) client.connection.stream.destroy();
    },
  };
}

/** For a backup. @throws StartError when it holds no Werkstroom, DatabaseStartError */
export async function openSource(config: Config): Promise<BackupDatabase> {
  await requireDataFolder(config);
  const database = await open(config);
  try {
    if (database.isNew) throw noWerkstroom(database.name);
    // Its machines have no snapshot in common.
    const others = (await isCluster(database.pool)) ? await otherClients(database.pool) : [];
    if (others.length > 0)
      throw new BackupError(
        `Somebody else is connected to the database of ${database.name} (${others.join(', ')}): a cluster is backed up while no portal runs. Stop the portals first.`,
      );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * For a restore: an empty database that nobody else uses.
 * @throws BackupError when it is not, StartError, DatabaseStartError
 */
export async function openTarget(config: Config): Promise<BackupDatabase> {
  const inUse = (by: string) =>
    new BackupError(
      `${by} Stop the portal first. A backup is restored where nothing runs. Nothing was changed.`,
    );
  const owner = config.DATABASE_URL ? undefined : await livingOwner(config.DATA_DIR);
  if (owner) throw inUse(`Process ${owner.pid} runs the database in DATA_DIR (${config.DATA_DIR}).`);
  const database = await open(config);
  try {
    const { name, pool } = database;
    if (database.isJoined) throw inUse(`Another process runs the database in ${name}.`);
    const others = await otherClients(pool);
    if (others.length > 0)
      throw inUse(`Somebody else is connected to the database of ${name} (${others.join(', ')}).`);
    await dropEmptyQueues(pool);
    const contents = await readContents(pool);
    if (contents.length > 0)
      throw new BackupError(
        `The database of ${name} is not empty: it has ${named(contents)}. A backup is restored into an empty one. Nothing was changed.`,
      );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
