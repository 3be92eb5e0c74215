import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

export type Pool = pg.Pool;
/** Runs queries: the pool, or one client inside a transaction. */
export type Database = Pick<pg.Pool, 'query'>;
export type Transaction = pg.PoolClient;

const STATEMENT_MS = 30_000;
/**
 * Time limit of a query in this process. It is a little longer than the database's own limit, so no response by then means that the
 * database is unreachable.
 */
const NO_ANSWER_MS = STATEMENT_MS + 5_000;
const END_MS = 2_000;
/**
 * Time limit of 24 days, the longest that a timer can have. The value 0 cannot be used, because it stands for the time limit of the pool.
 */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const open = new WeakMap<Pool, Set<pg.PoolClient>>();

/** A column of a query result. */
type Field = { name: string /** The name that PostgreSQL sent. */; sent?: string };
const inCamelCase = new Map<string, string>();

/** Returns the property name for a column: `stream_id` becomes `streamId`, and a leading underscore stays. */
export function columnToPropertyName(column: string): string {
  if (!column.includes('_')) return column;
  const known = inCamelCase.get(column);
  if (known !== undefined) return known;
  const made = column.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  inCamelCase.set(column, made);
  return made;
}

/** Renames the columns of a connection's query results to camel case. */
function nameInCamelCase({ connection }: pg.Client | pg.PoolClient): void {
  connection.prependListener('rowDescription', ({ fields }: { fields: Field[] }) => {
    for (const field of fields) {
      field.sent = field.name;
      field.name = columnToPropertyName(field.name);
    }
  });
}

/** Returns a client outside a pool; the caller connects the client. If its connection breaks, its running query fails. */
export function openClient(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client(connection);
  nameInCamelCase(client);
  // Without a listener a broken connection would end the process.
  client.on('error', () => {});
  return client;
}

/** Returns the rows of a query result, or of the results of several statements, under the names that PostgreSQL sent. */
export const rowsWithColumnNames = (answers: pg.QueryResult | pg.QueryResult[]): unknown[] =>
  [answers]
    .flat()
    .flatMap(({ rows, fields }) =>
      rows.map((row) =>
        Object.fromEntries((fields as Field[]).map(({ name, sent }) => [sent ?? name, row[name]])),
      ),
    );

/**
 * Opens a pool of connections. A connection that breaks while idle is logged and replaced; a query that gets no connection within 5
 * s, or runs longer than 30 s, fails. A connection that does not respond within 35 s is dropped.
 */
export function openPool(connection: pg.PoolConfig, log: (message: string) => void): Pool {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_MS,
    query_timeout: NO_ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'werkstroom',
    ...connection,
  });
  const clients = new Set<pg.PoolClient>();
  open.set(pool, clients);
  pool.on('connect', (client) => {
    clients.add(client);
    nameInCamelCase(client);
    // pg-pool handles errors only while a client is idle. A connection that breaks inside a transaction fails its query, but
    // without a listener the event would also end the process.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', (error) => {
    // While the pool ends, a database that shuts down too may cut the last connections, which is no failure.
    if (!pool.ending) log(`A database connection broke: ${error.message}`);
  });
  return pool;
}

/** Ends a pool of openPool; connections that do not close within 2 s are cut. */
export async function endPool(pool: Pool): Promise<void> {
  const cut = setTimeout(() => {
    for (const client of open.get(pool) ?? []) client.connection.stream.destroy();
  }, END_MS);
  try {
    await pool.end();
  } finally {
    clearTimeout(cut);
  }
}

/**
 * Wraps a database for statements that must not wait long: a statement without a response within `ms` fails, and its connection is
 * dropped, so that the next statement uses another one. The statement may still be committed.
 */
export function withTimeLimit(db: Database, ms: number): Database {
  const query = (text: string | pg.QueryConfig, values?: unknown[]) =>
    // `query_timeout` is an option of pg that @types/pg lacks.
    db.query({
      ...(typeof text === 'string' ? { text, ...(values && { values }) } : text),
      query_timeout: ms,
    } as pg.QueryConfig);
  return { query: query as Database['query'] };
}

/** Returns the database's clock, to the microsecond, as a query parameter: updates on a cluster (Citus) cannot use now(). */
export async function databaseClock(db: Database): Promise<string> {
  const { rows } = await db.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]?.now as string;
}

/** Functions that run after the commit of each client's transaction. */
const waiting = new WeakMap<Database, (() => void)[]>();

/** Runs `work` after the commit of the transaction of `db`, and never after a rollback; at once when there is no transaction. */
export function afterCommit(db: Database, work: () => void): void {
  const others = waiting.get(db);
  if (others) others.push(work);
  else work();
}

/** Runs the afterCommit callbacks once `work` has committed, for callers that manage BEGIN and COMMIT themselves. */
export async function withCommitCallbacks<T>(client: Database, work: () => Promise<T>): Promise<T> {
  const committed: (() => void)[] = [];
  waiting.set(client, committed);
  try {
    const result = await work();
    for (const then of committed) then();
    return result;
  } finally {
    waiting.delete(client);
  }
}

/** A check that runs at the start of a transaction, before any change; it throws to refuse the change. */
export type TransactionCheck = (client: Transaction) => Promise<void>;
type Checking = { readonly check: TransactionCheck; isOver: boolean };
const checking = new AsyncLocalStorage<Checking | undefined>();

/**
 * Runs `check` as the first statements of every transaction that `work` begins (inTransaction). Background transactions that
 * begin after `work` has ended are not checked.
 */
export async function withTransactionCheck<T>(check: TransactionCheck, work: () => Promise<T>): Promise<T> {
  const own: Checking = { check, isOver: false };
  try {
    return await checking.run(own, work);
  } finally {
    own.isOver = true;
  }
}

/** Runs `work` without the check that withTransactionCheck() set for the current call. */
export const withoutTransactionCheck = <T>(work: () => T): T => checking.run(undefined, work);

type TransactionOptions = {
  /** A commit without a response within this time fails, and its connection is dropped. */
  readonly noAnswerMs?: number;
  /** Takes the locks that must be acquired before those of the check that withTransactionCheck() set. */
  readonly lockFirst?: (client: Transaction) => Promise<unknown>;
};

/**
 * Runs `work` in one transaction: commits when `work` resolves, rolls back when it throws. Runs the check that withTransactionCheck() set
 * before `work`.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: Transaction) => Promise<T>,
  { noAnswerMs = NO_ANSWER_MS, lockFirst }: TransactionOptions = {},
): Promise<T> {
  const asked = checking.getStore();
  const client = await pool.connect();
  const ends = withTimeLimit(client, noAnswerMs);
  let broken: Error | undefined;
  try {
    await ends.query('begin');
    const committed: (() => void)[] = [];
    waiting.set(client, committed);
    await lockFirst?.(client);
    if (/*rule:change-checks-caller*/ asked && !asked.isOver /*=false*/) await asked.check(client);
    const result = await work(client);
    await ends.query('commit');
    for (const then of committed) then();
    return result;
  } catch (error) {
    // A connection that does not respond cannot roll back either.
    if (isNoAnswer(error)) broken = error;
    else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    waiting.delete(client);
    client.release(broken);
  }
}

/** pg's error after `query_timeout`, which has no code. */
const isNoAnswer = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** Returns true for a deadlock: PostgreSQL aborted one of the two transactions (40P01, deadlock_detected). */
export const isDeadlock = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '40P01';

/** Returns true for a deadlock or a serialization failure (40001), after which a retry may succeed. */
export const isRetryable = (error: unknown): boolean =>
  isDeadlock(error) || (error as { code?: unknown } | null)?.code === '40001';

/** Returns true for a statement after the pool was closed: this process is stopping. */
export const isPoolClosed = (error: unknown): boolean =>
  error instanceof Error && /cannot use a pool after/i.test(error.message);

/** Returns true when the database is unreachable or shutting down, false when it refused a statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isPoolClosed(error)) return true;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    // Class 08 connection, 53 resources, 57 operator intervention, 58 system error (PostgreSQL appendix A).
    if (/^(08|53|57|58)/.test(code)) return true;
    if (/^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_)/.test(code)) return true;
  }
  return /query read timeout|connection terminated|timeout exceeded when trying to connect|connection error|the database system is/i.test(
    error.message,
  );
}
