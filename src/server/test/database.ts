import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { learnShards } from '#server/platform/shards.ts';
import { CLUSTER, createClusterDatabase, dropClusterDatabase } from './cluster.ts';
import { databaseIn, fill, TEMPLATE } from './postgres.ts';

export type TestDatabase = {
  readonly pool: Pool;
  /** Of who owns the tables, as is `pool`. */
  readonly connection: pg.ClientConfig;
  /** As whom the portal works. */
  readonly application: pg.ClientConfig;
  drop(): Promise<void>;
};

/** Times that it is tried to remove one; PostgreSQL waits 5 s each time for those who leave. */
const DROPS = 5;

/** A migrated, empty database of its own for one test file; `bare`: without our tables. */
export async function testDatabase({ bare = false } = {}): Promise<TestDatabase> {
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
  const connection = databaseIn(inject('postgres'), name);
  if (CLUSTER) {
    await createClusterDatabase(CLUSTER, name);
    if (!bare) await fill(connection);
  }
  // Copied as files, not through the log: a fifth of the time.
  else await admin(`create database ${name} template ${bare ? 'template1' : TEMPLATE} strategy file_copy`);
  // Over one of its own: the pool has none yet, and a restore asks that nobody is connected.
  await on(connection, learnShards);
  const pool = openPool(connection, () => {});
  return {
    pool,
    connection,
    application: databaseIn(inject('application'), name),
    async drop() {
      if (!pool.ended) await pool.end();
      if (CLUSTER) return dropClusterDatabase(CLUSTER, name);
      // Not `with (force)`, and anew where it is refused: PostgreSQL 15 refuses to end what is no session of ours to who is
      // no superuser, also one that is just ending, or autovacuum that is at work there for a moment.
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
