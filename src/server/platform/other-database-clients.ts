import type { Database } from './database.ts';

/**
 * Returns the application names of the other clients of the database. For a connection that this role may not see, returns the name
 * of the connection's role. Leaves out PostgreSQL's own processes, and the connections between the servers of a cluster.
 */
export async function otherDatabaseClientNames(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename) as name from pg_stat_activity
     where datname = current_database() and usename is not null and pid <> pg_backend_pid()
       and coalesce(backend_type, 'client backend') = 'client backend' and coalesce(application_name, '') !~ '^citus_'
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
