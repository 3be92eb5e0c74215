import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { loadShards } from '#server/platform/shards.ts';
import { closeWeeksRepeatedly, IS_TEST_OF_CLOSED_WEEKS } from './closed.ts';
import { CITUS_CONNECTION, createClusterDatabase, dropClusterDatabase } from './cluster.ts';
import { connectionToDatabase, migrateEmpty, TEMPLATE_DATABASE } from './postgres.ts';

export type TestDatabase = {
  readonly pool: Pool;
  /** Connection of the role that owns the tables; `pool` uses it too. */
  readonly connection: pg.ClientConfig;
  /** Connection of the portal's role. */
  readonly application: pg.ClientConfig;
  drop(): Promise<void>;
};

/** Attempts to drop a database; PostgreSQL waits up to 5 s each time for its sessions to end. */
const DROPS = 5;

/**
 * Creates a migrated, empty database for one test file.
 * @param options `bare`: creates no tables. `asRows`: keeps readings in the table even with TEST_CLOSED, which otherwise moves
 * them to Parquet files.
 */
export async function testDatabase({ bare = false, asRows = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const on = async (where: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client(where);
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  const admin = (sql: string) => on(inject('postgres'), (client) => client.query(sql));
  const connection = connectionToDatabase(inject('postgres'), name);
  if (CITUS_CONNECTION) {
    await createClusterDatabase(CITUS_CONNECTION, name);
    if (!bare) await migrateEmpty(connection);
  }
  // With `file_copy`, PostgreSQL copies the files of the template instead of writing them to the WAL, in a fifth of the time.
  else
    await admin(
      `create database ${name} template ${bare ? 'template1' : TEMPLATE_DATABASE} strategy file_copy`,
    );
  // A connection that ends at once, because a test that restores a backup needs a database without connections.
  await on(connection, loadShards);
  const pool = openPool(connection, () => {});
  const stopClosing =
    IS_TEST_OF_CLOSED_WEEKS && !bare && !asRows ? closeWeeksRepeatedly(connection) : async () => {};
  return {
    pool,
    connection,
    application: connectionToDatabase(inject('application'), name),
    async drop() {
      await stopClosing();
      if (!pool.ended) await pool.end();
      if (CITUS_CONNECTION) return dropClusterDatabase(CITUS_CONNECTION, name);
      // PostgreSQL 15 refuses `drop database … with (force)` to a role that is no superuser when the database has sessions of other
      // roles, such as autovacuum or a session that is ending. Therefore: end our own sessions and try again.
      for (let left = DROPS; ; left -= 1)
        try {
          await admin(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pg_has_role(usesysid, 'usage')`,
          );
          return await admin(`drop database ${name}`);
        } catch (error) {
          if (left === 1) throw error;
          await wait(200);
        }
    },
  };
}
