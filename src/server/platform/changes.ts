import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Database } from './database.ts';
import type { Warn } from './warn.ts';

/** Longest age of cached data when notifications fail (docs/design.md section 4). */
export const CACHE_MAX_AGE_MS = 5_000;
const CONNECT_MS = 5_000;

/** Reports changes that any process made. Triggers of the database count them (change_counter) and notify this process. */
export type ChangeNotifier = {
  /**
   * Returns a number that grows with every change of organizations, streams, ownership, writers, keys or definitions;
   * synchronously when cached.
   */
  directoryVersion(): string | Promise<string>;
  /** Calls `forget` when sessions, accounts or organizations changed; `what` is the notification's payload. */
  onSession(forget: (what?: string) => void): void;
  close(): Promise<void>;
};

/** Listens for notifications on a separate connection, which is reopened when it breaks; meanwhile caches expire after 5 s. */
export function watchDatabaseChanges(db: Database, connection: pg.ClientConfig, warn: Warn): ChangeNotifier {
  const emitter = new EventEmitter();
  let version: { value: string; at: number } | undefined;
  /** Number of resets: a value whose read began before a reset may be outdated, and is not cached. */
  let forgotten = 0;
  const forget = (): void => {
    version = undefined;
    forgotten += 1;
  };
  let listener: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(): Promise<void> {
    const client = new pg.Client({
      ...connection,
      application_name: 'werkstroom changes',
      // The time limit matters if a database accepts the connection and then does not answer: listening must not stop for ever.
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const again = () => {
      if (listener !== client) return;
      listener = undefined;
      forget();
      emitter.emit('session');
      if (!closed) retry = setTimeout(() => void listen(), 1_000).unref();
    };
    listener = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload }) => {
      if (payload === 'directory') forget();
      else emitter.emit('session', payload);
    });
    try {
      await client.connect();
      await client.query('listen werkstroom');
      forget();
      emitter.emit('session');
    } catch (error) {
      warn('Listening for database notifications failed', (error as Error).message);
      again();
      await client.end().catch(() => {});
    }
  }
  void listen();

  async function readVersion(at: number): Promise<string> {
    const asked = forgotten;
    const { rows } = await db.query<{ n: string }>("select n from change_counter where name = 'directory'");
    const value = rows[0]?.n ?? '0';
    if (asked === forgotten) version = { value, at };
    return value;
  }

  return {
    directoryVersion() {
      // A monotonic clock: setting the system clock back must not prolong the cache.
      const at = performance.now();
      return version && at - version.at < CACHE_MAX_AGE_MS ? version.value : readVersion(at);
    },
    onSession: (forget) => void emitter.on('session', forget),
    async close() {
      closed = true;
      clearTimeout(retry);
      await listener?.end().catch(() => {});
    },
  };
}
