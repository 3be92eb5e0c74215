import type pg from 'pg';
import { endPool, openPool, type Pool } from './database.ts';

/**
 * The connections of one portal process, separated by purpose, so that overload of one does not block the others. A process uses 25
 * connections, including one that listens for changes and two for report files (docs/operations.md). The embedded PostgreSQL allows
 * 200, enough also for an import, a backup and the demo's history. An external PostgreSQL usually allows 100, enough for three
 * processes and one such command.
 */
export type ConnectionPools = {
  /** For people's requests and background tasks; it has openPool's default size, 10 connections. */
  readonly pages: Pool;
  readonly ingest: Pool;
  readonly files: Pool;
  /** Signs in as the role that owns the tables, for upkeep that changes tables. Usually holds no connection. */
  readonly owner: Pool;
};

/**
 * Enough to store two groups of readings (four with several shards) and two log files at once, and for partitions, counters, keys
 * and the listings that loggers request.
 */
const INGEST_CONNECTIONS = 8;
/** Few suffice: reading a chunk of a file takes a millisecond or two, and a client that receives it slowly holds no connection. */
const FILE_CONNECTIONS = 4;

/** Opens the pools `ingest` and `files`, and returns them with `pages` and `owner`. A connection is made when it is needed. */
export function openPools(
  { pages, owner }: Pick<ConnectionPools, 'pages' | 'owner'>,
  connection: pg.PoolConfig,
  log: (message: string) => void,
): ConnectionPools {
  const beside = (max: number) => openPool({ ...connection, max }, log);
  return { pages, ingest: beside(INGEST_CONNECTIONS), files: beside(FILE_CONNECTIONS), owner };
}

/** Ends the pools `ingest` and `files`; the caller ends `pages` and `owner`. */
export async function endPools({ ingest, files }: ConnectionPools): Promise<void> {
  await Promise.all([endPool(ingest), endPool(files)]);
}
