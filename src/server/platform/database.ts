import pg from 'pg';

export type Pool = pg.Pool;
/** What a query needs: the pool, or one client of it inside a transaction. */
export type Database = Pick<pg.Pool, 'query'>;
export type Transaction = pg.PoolClient;

/**
 * A pool of connections. A connection that breaks while idle is logged and replaced; a query that finds no
 * connection within 5 s, or runs longer than 30 s, fails.
 */
export function openPool(connection: pg.PoolConfig, log: (message: string) => void): Pool {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'werkstroom',
    ...connection,
  });
  pool.on('error', (error) => {
    // While the pool ends, its last sockets may be cut by the database that ends with it.
    if (!pool.ending) log(`A database connection broke: ${error.message}`);
  });
  return pool;
}

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** True when the database itself is out of reach or going down, as opposed to a statement it refused. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    // Class 08 connection, 53 resources, 57 operator intervention, 58 system error (PostgreSQL appendix A).
    if (/^(08|53|57|58)/.test(code)) return true;
    if (/^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_)/.test(code)) return true;
  }
  return /connection terminated|timeout exceeded when trying to connect|connection error|the database system is/i.test(
    error.message,
  );
}
