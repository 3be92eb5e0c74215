import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type ApplicationRole, giveRights } from '#server/platform/application-role.ts';
import { installJobs } from '#server/platform/jobs.ts';
import { migrate } from '#server/platform/migrate.ts';
import { applicationOf } from '#server/platform/postgres/connection.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { rightsOf, SCHEMA } from '#server/schema.ts';
import { showShardsAsOne } from './shards-as-one.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: pg.ClientConfig;
    /** The role as which the portal works; the same where there is none of its own. */
    application: pg.ClientConfig;
  }
}

/** Migrated once; every test file's database is a copy of it. */
export const TEMPLATE = 'werkstroom_template';

/**
 * One PostgreSQL for the run: CITUS_URL (the coordinator of a cluster, a database with its workers added), else TEST_DATABASE_URL (a
 * server where databases may be created), else the embedded one in a folder of its own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.CITUS_URL ?? process.env.TEST_DATABASE_URL;
  const dataDir = external ? undefined : await mkdtemp(join(tmpdir(), 'werkstroom-test-'));
  // Nothing here outlives a power cut, and what is killed in tests has a server of its own.
  const settings = ['fsync=off', 'synchronous_commit=off'];
  const embedded = dataDir ? await startEmbedded({ dataDir, log: () => {}, settings }) : undefined;
  const connection: pg.ClientConfig = embedded?.connection ?? { connectionString: external as string };
  const application = embedded ? applicationOf(embedded.connection) : connection;
  // A cluster has no templates: what lies on its workers is not copied.
  if (!process.env.CITUS_URL) await makeTemplate(connection, embedded && applicationOf(embedded.connection));

  project.provide('postgres', connection);
  project.provide('application', application);
  return async () => {
    await embedded?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  };
}

/** In how many shards the tests' readings lie: TEST_CELLS. */
const shardsOfTests = (): number | undefined =>
  Number(process.env.TEST_CELLS) || (process.env.CITUS_URL ? SHARDS_OF_CLUSTER : undefined);
/** Fewer than in earnest: each test file makes its own. */
const SHARDS_OF_CLUSTER = 3;

/**
 * The database that every test file's own is a copy of, at the newest schema.
 * @param application the role as which the portal works, where that is one of its own
 */
export async function makeTemplate(
  connection: pg.ClientConfig,
  application?: ApplicationRole,
): Promise<void> {
  await dropTemplate(connection);
  await query(connection, `create database ${TEMPLATE}`);
  await fill(databaseIn(connection, TEMPLATE), application);
}

/** An empty database gets the newest schema. */
export async function fill(connection: pg.ClientConfig, application?: ApplicationRole): Promise<void> {
  const pool = new pg.Pool(connection);
  await migrate(pool, SCHEMA, shardsOfTests());
  await showShardsAsOne(pool);
  await installJobs(pool);
  if (application) await giveRights(pool, application, await rightsOf(pool));
  await pool.end();
}

export async function dropTemplate(connection: pg.ClientConfig): Promise<void> {
  await query(connection, `drop database if exists ${TEMPLATE}`);
}

async function query(connection: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The same server, another database. */
export function databaseIn(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!connection.connectionString) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}

/** As DATABASE_URL writes it; a unix socket's folder goes into `host`. */
export function urlOf({ connectionString, user, password, host, port, database }: pg.ClientConfig): string {
  if (connectionString) return connectionString;
  const login = [user ?? '', password?.toString() ?? ''].map(encodeURIComponent).join(':');
  return `postgres://${login}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? 'localhost')}`;
}
