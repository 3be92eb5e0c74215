import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { databaseIn, TEMPLATE } from './postgres.ts';

export type TestDatabase = {
  readonly pool: Pool;
  /** Of who owns the tables, as is `pool`. */
  readonly connection: pg.ClientConfig;
  /** As whom the portal works. */
  readonly application: pg.ClientConfig;
  drop(): Promise<void>;
};

/** A migrated, empty database of its own for one test file; `bare`: without our tables. */
export async function testDatabase({ bare = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string) => {
    const client = new pg.Client(inject('postgres'));
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name} template ${bare ? 'template1' : TEMPLATE}`);
  const connection = databaseIn(inject('postgres'), name);
  const pool = openPool(connection, () => {});
  return {
    pool,
    connection,
    application: databaseIn(inject('application'), name),
    async drop() {
      if (!pool.ended) await pool.end();
      // Not `with (force)`: PostgreSQL 15 refuses that to who is no superuser while autovacuum is at work there.
      await admin(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename is not null`,
      );
      await admin(`drop database ${name}`);
    },
  };
}
