import pg from 'pg';

/** Returns the PostgreSQL roles that are connected to this database. */
export async function connectedRoles(owner: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client({ ...owner, application_name: 'looks' });
  await client.connect();
  try {
    const { rows } = await client.query<{ user: string }>(
      `select distinct usename as "user" from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usename is not null`,
    );
    return rows.map(({ user }) => user);
  } finally {
    await client.end();
  }
}
