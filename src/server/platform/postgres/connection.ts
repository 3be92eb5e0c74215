import { createHmac } from 'node:crypto';
import pg from 'pg';
import { APPLICATION_USER, DATABASE_NAME, DATABASE_USER } from './cluster.ts';

/** Connection parameters for `pg`; a host that starts with a slash is the folder of a unix socket. */
export type Connection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
  /** Set explicitly, so that PGSSLMODE in the environment has no effect. */
  readonly ssl: false;
};

/**
 * Returns the connection parameters of a server.
 * @param password the password, if the server listens on TCP
 */
export function connectionTo(host: string, port: number, password?: string): Connection {
  const connection = { host, port, user: DATABASE_USER, database: DATABASE_NAME, ssl: false } as const;
  return password === undefined ? connection : { ...connection, password };
}

/** Returns the connection of the application's role, which the tables' owner has created (application-role.ts). */
export function applicationConnectionOf(owner: Connection): Connection {
  const { password, ...connection } = { ...owner, user: APPLICATION_USER };
  if (password === undefined) return connection;
  // The password of the application's role is derived from the owner's by a one-way function.
  return {
    ...connection,
    password: createHmac('sha256', password).update(APPLICATION_USER).digest('base64url'),
  };
}

/** Connects to the database and returns the error; undefined if the server responds. */
export async function findConnectError(connection: Connection, database: string): Promise<Error | undefined> {
  return withClient({ ...connection, database }, async (client) => {
    await client.query('select 1');
  }).then(
    () => undefined,
    (error: Error) => error,
  );
}

/**
 * Creates the portal's database in a new cluster.
 * @throws errors of PostgreSQL
 */
export async function createDatabase(connection: Connection): Promise<void> {
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [connection.database]);
    if (found.rowCount === 0)
      await client.query(`create database ${pg.escapeIdentifier(connection.database)}`);
  });
}

async function withClient(connection: Connection, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 });
  // Ignores errors of a connection that has failed or was closed.
  client.on('error', () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
