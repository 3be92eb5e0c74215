import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Database } from './database.ts';
import type { Warn } from './warn.ts';

/** Caches are at most this old even when no notification comes through (docs/design.md section 4). */
export const CACHE_MAX_AGE_MS = 5_000;
const CONNECT_MS = 5_000;

/** What this process must know of changes that any process made (change_counter, and triggers that notify). */
export type Changes = {
  /** A number that grows with every change of organizations, streams, ownership, writers, keys, definitions; at once when known. */
  directoryVersion(): string | Promise<string>;
  /** Called when sessions, accounts or organizations have changed; `what` was notified. */
  onSession(forget: (what?: string) => void): void;
  close(): Promise<void>;
};

/** Listens on its own connection, which is made anew when it breaks; until then the 5 s age is what counts. */
export function watchChanges(db: Database, connection: pg.ClientConfig, warn: Warn): Changes {
  const heard = new EventEmitter();
  let version: { value: string; at: number } | undefined;
  /** How often it was forgotten: what was being read meanwhile may be older, and is not kept. */
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
      // A database that takes connections and says nothing, or that vanished, must not end the listening for good.
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const again = () => {
      if (listener !== client) return;
      listener = undefined;
      forget();
      heard.emit('session');
      if (!closed) retry = setTimeout(() => void listen(), 1_000).unref();
    };
    listener = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload }) => {
      if (payload === 'directory') forget();
      else heard.emit('session', payload);
    });
    try {
      await client.connect();
      await client.query('listen werkstroom');
      forget();
      heard.emit('session');
    } catch (error) {
      warn('No notifications from the database', (error as Error).message);
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
      // Not by the clock of the day: one that is set back would make it last.
      const at = performance.now();
      return version && at - version.at < CACHE_MAX_AGE_MS ? version.value : readVersion(at);
    },
    onSession: (forget) => void heard.on('session', forget),
    async close() {
      closed = true;
      clearTimeout(retry);
      await listener?.end().catch(() => {});
    },
  };
}
