import type { Pool, Transaction } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { indexClosedWeek } from '#server/telemetry/closed-weeks.ts';
import { DOCUMENTS_PER_LOGGER } from '#server/telemetry/objects.store.ts';

const EVERY_MS = 60_000;
/** Raw log files, so that a corrected definition can decode them again (DESIGN.md section 7). */
const KEEP_DAYS = 30;
const UNKNOWN_KEYS = 1_000;
const LOCK = 7_406_320;
const INDEX_LOCK = 7_406_325;

const TASKS: readonly (readonly [what: string, sql: string, values: readonly unknown[]])[] = [
  ['partitions of this week', 'select ensure_week(now())', []],
  ['partitions of next week', `select ensure_week(now() + interval '7 days')`, []],
  ['expired sessions', 'delete from session where expires_at < now()', []],
  [
    'documents beyond the newest of each logger',
    // Only a logger that has too many is sorted.
    `delete from object where id in (
       select unnest(array(
         select id from object where logger_serial = w.logger_serial and log_stored_at is null
         order by modified_at desc, id desc offset $1
       )) from (select logger_serial from object group by logger_serial having count(*) > $1) as w
     )`,
    [DOCUMENTS_PER_LOGGER],
  ],
  [
    'old log files',
    `delete from object where log_stored_at < now() - make_interval(days => $1)`,
    [KEEP_DAYS],
  ],
  [
    'unknown keys beyond the newest',
    `delete from unknown_key where access_key in (
       select access_key from unknown_key order by last_seen_at desc offset $1
     )`,
    [UNKNOWN_KEYS],
  ],
  ['old imports', `delete from import_progress where updated_at < now() - interval '90 days'`, []],
];

/** Does every task once, unless another process is at it. A task that fails is warned of and waits for the next time. */
export async function runUpkeep(pool: Pool, warn: Warn): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (!rows[0]?.mine) return;
    for (const [what, sql, values] of TASKS) {
      await client.query(sql, [...values]).catch((error: Error) => warn(`Upkeep: ${what}`, error.message));
    }
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The next week of the roll-up that is over, unless another process is at it. `opened` gets the connection, to cut it. */
async function indexWeeks(pool: Pool, opened: (client: Transaction) => void): Promise<void> {
  const client = await pool.connect();
  opened(client);
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      INDEX_LOCK,
    ]);
    if (rows[0]?.mine) await indexClosedWeek(client, Date.now());
  } finally {
    // The lock, and what was set for the connection, go with it.
    client.release(true);
  }
}

/**
 * Cleans up once a minute, in one process at a time. Every task is safe to repeat and to skip.
 * @param purge removes what was deleted long ago; safe to run in two processes
 */
export function startUpkeep(
  pool: Pool,
  warn: Warn,
  purge: () => Promise<unknown>,
): { close(): Promise<void> } {
  let running = Promise.resolve();
  let indexing: Transaction | undefined;
  let closed = false;
  const index = () =>
    indexWeeks(pool, (client) => {
      indexing = client;
    })
      .catch((error: Error) => closed || warn('Upkeep: a week of the roll-up that is over', error.message))
      .finally(() => {
        indexing = undefined;
      });
  const tick = () => {
    running = running
      .then(() => runUpkeep(pool, warn))
      .then(async () => void (await purge()))
      .then(async () => void (closed || (await index())))
      .catch((error: Error) => warn('Upkeep is tried again in a minute', error.message));
  };
  const timer = setInterval(tick, EVERY_MS).unref();
  tick();
  return {
    async close() {
      clearInterval(timer);
      closed = true;
      // It may take long, and is made anew.
      indexing?.connection.stream.destroy();
      await running;
    },
  };
}
