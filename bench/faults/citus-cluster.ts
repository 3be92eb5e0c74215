import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findDebianPostgres } from '#server/test/external-programs.ts';
import type { BenchContext } from '../context.ts';
import { type ExternalCluster, startExternalCluster } from './external-cluster.ts';
import { FaultSkipped } from './fault.ts';

/** PostgreSQL servers that Citus combines into one database. */
export type CitusCluster = {
  /** DATABASE_URL of the coordinator. */
  readonly url: string;
  readonly coordinator: ExternalCluster;
  readonly workers: readonly ExternalCluster[];
};

const SETTINGS = [
  'shared_preload_libraries=citus',
  'max_connections=300',
  'max_prepared_transactions=300',
  'citus.node_conninfo=sslmode=disable',
  // No statistics are sent to Citus.
  'citus.enable_statistics_collection=off',
  'citus.enable_stat_counters=on',
];

/** Starts a coordinator and workers on this computer, with fsync. @throws FaultSkipped where Debian's PostgreSQL has no Citus */
export async function startCitusCluster(context: BenchContext, workers: number): Promise<CitusCluster> {
  const bin = findDebianPostgres();
  if (!bin || !existsSync(join(bin, '../lib/citus.so')))
    throw new FaultSkipped(
      'no Citus in a PostgreSQL beside our own (docs/scaling.md says how it gets there)',
    );
  const nodes: ExternalCluster[] = [];
  for (let n = 0; n <= workers; n++)
    nodes.push(await startExternalCluster(context, await context.folder(), SETTINGS));
  const [coordinator, ...others] = nodes as [ExternalCluster, ...ExternalCluster[]];
  for (const { url } of nodes) await queryOnce(url, 'create extension citus');
  await queryOnce(coordinator.url, `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`);
  for (const worker of others)
    await queryOnce(coordinator.url, `select citus_add_node('127.0.0.1', ${portOf(worker)})`);
  return { url: coordinator.url, coordinator, workers: others };
}

export const portOf = ({ url }: ExternalCluster): number => Number(new URL(url).port);

/** Runs one statement over its own connection. */
export async function queryOnce<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
