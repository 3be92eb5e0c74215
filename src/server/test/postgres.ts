import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type ApplicationRole, grantRoleRights } from '#server/platform/application-role.ts';
import { openPool } from '#server/platform/database.ts';
import { installJobs } from '#server/platform/jobs.ts';
import { migrate } from '#server/platform/migrate.ts';
import { applicationConnectionOf } from '#server/platform/postgres/connection.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { applicationRightsOf, SCHEMA } from '#server/schema.ts';
import { showShardsAsOne } from './shards-as-one.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: pg.ClientConfig;
    /** Connection of the portal's role; equal to `postgres` where there is no separate role. */
    application: pg.ClientConfig;
  }
}

/** Name of the template database: it is migrated once, and copied for every test file. */
export const TEMPLATE_DATABASE = 'werkstroom_template';

/**
 * Provides one PostgreSQL for the test run: that of CITUS_URL (a database, with workers added, on the coordinator of a cluster),
 * otherwise that of TEST_DATABASE_URL (a server where databases may be created), otherwise the embedded one in a temporary folder.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.CITUS_URL ?? process.env.TEST_DATABASE_URL;
  const dataDir = external ? undefined : await mkdtemp(join(tmpdir(), 'werkstroom-test-'));
  // No data has to survive a power failure. Tests that kill PostgreSQL start their own server.
  const settings = ['fsync=off', 'synchronous_commit=off'];
  const embedded = dataDir ? await startEmbedded({ dataDir, log: () => {}, settings }) : undefined;
  const connection: pg.ClientConfig = embedded?.connection ?? { connectionString: external as string };
  const application = embedded ? applicationConnectionOf(embedded.connection) : connection;
  // A cluster cannot use templates: a copy would lack the data on the workers.
  if (!process.env.CITUS_URL)
    await createTemplateDatabase(connection, embedded && applicationConnectionOf(embedded.connection));

  project.provide('postgres', connection);
  project.provide('application', application);
  return async () => {
    await embedded?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  };
}

/** Returns the number of shards in the tests' databases: TEST_CELLS, otherwise SHARDS_OF_CLUSTER on a cluster, otherwise undefined. */
const shardsOfTests = (): number | undefined =>
  Number(process.env.TEST_CELLS) || (process.env.CITUS_URL ? SHARDS_OF_CLUSTER : undefined);
/** Fewer shards than in production, because each test file creates them. */
const SHARDS_OF_CLUSTER = 3;

/**
 * Creates the database that is copied for every test file, at the newest schema.
 * @param application the portal's role, where that is a separate one
 */
export async function createTemplateDatabase(
  connection: pg.ClientConfig,
  application?: ApplicationRole,
): Promise<void> {
  await dropTemplateDatabase(connection);
  await query(connection, `create database ${TEMPLATE_DATABASE}`);
  await migrateEmpty(connectionToDatabase(connection, TEMPLATE_DATABASE), application);
}

/** Migrates an empty database to the newest schema. */
export async function migrateEmpty(
  connection: pg.ClientConfig,
  application?: ApplicationRole,
): Promise<void> {
  const pool = openPool(connection, () => {});
  await migrate(pool, SCHEMA, shardsOfTests());
  await showShardsAsOne(pool);
  await installJobs(pool);
  if (application) await grantRoleRights(pool, application, await applicationRightsOf(pool));
  await pool.end();
}

export async function dropTemplateDatabase(connection: pg.ClientConfig): Promise<void> {
  await query(connection, `drop database if exists ${TEMPLATE_DATABASE}`);
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

/** Returns the connection to another database of the same server. */
export function connectionToDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!connection.connectionString) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
}

/** Returns the connection as a DATABASE_URL; a unix socket's folder goes into `host`. */
export function databaseUrlOf({
  connectionString,
  user,
  password,
  host,
  port,
  database,
}: pg.ClientConfig): string {
  if (connectionString) return connectionString;
  const login = [user ?? '', password?.toString() ?? ''].map(encodeURIComponent).join(':');
  return `postgres://${login}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? 'localhost')}`;
}
