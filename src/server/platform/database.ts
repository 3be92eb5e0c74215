import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

export type Pool = pg.Pool;
/** What a query needs: the pool, or one client of it inside a transaction. */
export type Database = Pick<pg.Pool, 'query'>;
export type Transaction = pg.PoolClient;

const STATEMENT_MS = 30_000;
/** A little longer than the database's own limit: no answer by then means that nobody is there to enforce it. */
const NO_ANSWER_MS = STATEMENT_MS + 5_000;
const END_MS = 2_000;

const open = new WeakMap<Pool, Set<pg.PoolClient>>();

/**
 * A pool of connections. A connection that breaks while idle is logged and replaced; a query that finds no
 * connection within 5 s, or runs longer than 30 s, fails. A connection that gives no answer within 35 s is dropped.
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
    // pg-pool listens only while a client is idle. One that breaks inside a transaction fails its query; without a
    // listener of its own the event would end the process.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', (error) => {
    // While the pool ends, its last sockets may be cut by the database that ends with it.
    if (!pool.ending) log(`A database connection broke: ${error.message}`);
  });
  return pool;
}

/** Ends a pool of openPool; connections that do not say goodbye within 2 s are cut. */
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
 * For statements that must not wait long: one that gets no answer within `ms` fails, and its connection is dropped, so
 * that the next one goes over another. It may still be committed.
 */
export function impatient(db: Database, ms: number): Database {
  const query = (text: string | pg.QueryConfig, values?: unknown[]) =>
    // pg's own option, which @types/pg does not know.
    db.query({
      ...(typeof text === 'string' ? { text, ...(values && { values }) } : text),
      query_timeout: ms,
    } as pg.QueryConfig);
  return { query: query as Database['query'] };
}

/** The database's clock, to the microsecond: a cluster takes none in what it changes on its machines. */
export async function databaseClock(db: Database): Promise<string> {
  const { rows } = await db.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]?.now as string;
}

/** What is to be done when a transaction has been committed, by its client. */
const waiting = new WeakMap<Database, (() => void)[]>();

/** Does `work` once the transaction of `db` is committed, and never where it is not; at once where there is none. */
export function afterCommit(db: Database, work: () => void): void {
  const others = waiting.get(db);
  if (others) others.push(work);
  else work();
}

/** Of a transaction that somebody begins and ends by themselves: `work` ends with its commit, and what waits for that is done. */
export async function untilCommit<T>(client: Database, work: () => Promise<T>): Promise<T> {
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

/** Runs at the start of a transaction, before anything is changed in it; throws what refuses the change. */
export type TransactionCheck = (client: Transaction) => Promise<void>;
type Checking = { readonly check: TransactionCheck; isOver: boolean };
const checking = new AsyncLocalStorage<Checking | undefined>();

/**
 * Runs `check` in every transaction that `work` begins (inTransaction), as its first statements.
 * Transactions that begin after `work` has ended, in the background, are not checked.
 */
export async function checkingEach<T>(check: TransactionCheck, work: () => Promise<T>): Promise<T> {
  const own: Checking = { check, isOver: false };
  try {
    return await checking.run(own, work);
  } finally {
    own.isOver = true;
  }
}

/** Runs `work` without the check of the call that it belongs to. */
export const unchecked = <T>(work: () => T): T => checking.run(undefined, work);

type TransactionOptions = {
  /** A commit without an answer for this long fails, and its connection is dropped. */
  readonly noAnswerMs?: number;
  /** Takes the locks that come before those of the check. */
  readonly lockFirst?: (client: Transaction) => Promise<unknown>;
};

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Inside checkingEach() the check
 * comes first.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: Transaction) => Promise<T>,
  { noAnswerMs = NO_ANSWER_MS, lockFirst }: TransactionOptions = {},
): Promise<T> {
  const asked = checking.getStore();
  const client = await pool.connect();
  const ends = impatient(client, noAnswerMs);
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
    // A connection that does not answer cannot be asked to roll back either.
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

/** pg's error after `query_timeout`; it has no code. */
const isNoAnswer = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** PostgreSQL took back one of two transactions that waited for each other (40P01, deadlock_detected). */
export const isDeadlock = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '40P01';

/** The same, or somebody else changed what a transaction with one snapshot changes too (40001, serialization_failure). */
export const isDisturbed = (error: unknown): boolean =>
  isDeadlock(error) || (error as { code?: unknown } | null)?.code === '40001';

/** True when the database itself is out of reach or going down, as opposed to a statement it refused. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    // Class 08 connection, 53 resources, 57 operator intervention, 58 system error (PostgreSQL appendix A).
    if (/^(08|53|57|58)/.test(code)) return true;
    if (/^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_)/.test(code)) return true;
  }
  return /query read timeout|connection terminated|timeout exceeded when trying to connect|connection error|cannot use a pool after|the database system is/i.test(
    error.message,
  );
}
