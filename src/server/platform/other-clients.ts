import type { Database } from './database.ts';

/**
 * Returns who else is connected to the database, by the names that they give themselves; of a role whose connections this one
 * may not see, its own name. What a cluster's machines ask each other does not count, nor does PostgreSQL's own work.
 */
export async function otherClients(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename) as name from pg_stat_activity
     where datname = current_database() and usename is not null and pid <> pg_backend_pid()
       and coalesce(backend_type, 'client backend') = 'client backend' and coalesce(application_name, '') !~ '^citus_'
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
