import type pg from 'pg';
import { endPool, openPool, type Pool } from './database.ts';

/**
 * The connections of one portal process, apart by who waits for them: what somebody asks too much of one never keeps
 * the others waiting. With the one that listens for changes and the two of report files they are 25 (docs/operations.md): the 200
 * of the embedded PostgreSQL leave room for an import, a backup and the demo's history beside it, and the usual 100 of another
 * hold three processes and one of those.
 */
export type Pools = {
  /** Of openPool's own size, 10: what people ask, what runs in the background. */
  readonly pages: Pool;
  readonly ingest: Pool;
  readonly files: Pool;
  /** As the role that owns the tables: only for upkeep that changes them. Usually it holds no connection. */
  readonly owner: Pool;
};

/** Two groups of readings, four where there are several shards, and two log files at once; partitions, counters and keys; what loggers ask to have listed. */
const INGEST_CONNECTIONS = 8;
/** A piece of a file takes a millisecond or two, and however slow its reader is, none is held meanwhile. */
const FILE_CONNECTIONS = 4;

/** Two pools beside those of `pages` and `owner`; no connection is made before one is needed. */
export function openPools(
  { pages, owner }: Pick<Pools, 'pages' | 'owner'>,
  connection: pg.PoolConfig,
  log: (message: string) => void,
): Pools {
  const beside = (max: number) => openPool({ ...connection, max }, log);
  return { pages, ingest: beside(INGEST_CONNECTIONS), files: beside(FILE_CONNECTIONS), owner };
}

/** Ends the two that openPools made; `pages` and `owner` are its caller's. */
export async function endPools({ ingest, files }: Pools): Promise<void> {
  await Promise.all([endPool(ingest), endPool(files)]);
}
