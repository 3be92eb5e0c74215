import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#server/config.ts';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Pool } from '#server/platform/database.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import { amsterdamDay, amsterdamInstant, daysAfter, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { readBackupState, recordFailedBackup } from './backup-made.store.ts';
import { makeBackup } from './make-backup.ts';
import { clientsWithoutTimeLimit } from './open-database.ts';

const CHECK_EVERY_MS = 60_000;
/** Delay between attempts after a failure. */
const RETRY_MS = 3_600_000;

const NAME = /^werkstroom-\d{4}-\d{2}-\d{2}-\d{4}\.backup$/;

type Settings = {
  readonly folder: string;
  /** 'HH:MM', Europe/Amsterdam. */
  readonly at: string;
  /** Number of files to keep. */
  readonly keep: number;
};

/** Returns the settings of scheduled backups; undefined if none are made. */
export const backupScheduleOf = ({ BACKUP_DIR, BACKUP_AT, BACKUP_KEEP }: Config): Settings | undefined =>
  BACKUP_DIR === undefined ? undefined : { folder: BACKUP_DIR, at: BACKUP_AT, keep: BACKUP_KEEP };

/** Returns the newest time of the schedule that is not in the future, in ms. */
export function newestDueBackupTime(now: number, at: string): number {
  const today = amsterdamDay(now);
  const due = (day: string): number => amsterdamInstant(`${day} ${at}`, 'first') as number;
  return due(today) <= now ? due(today) : due(daysAfter(today, -1));
}

/** Returns the file name of a backup that begins now. */
const nameAt = (now: number): string =>
  `werkstroom-${wallClockOf(now).slice(0, 16).replace(' ', '-').replace(':', '')}.backup`;

export type ScheduledBackups = {
  /** Aborts the backup that is being written and deletes its file. */
  close(): Promise<void>;
};

/**
 * Makes a backup each day, in one process at a time. A backup that was missed because no portal ran is made at the start; a
 * failed one is retried at the start and every hour.
 * @param pool signs in as the portal's role
 * @param owner signs in as the owner of the tables
 */
export function startScheduledBackups(
  settings: Settings,
  { pool, owner }: { readonly pool: Pool; readonly owner: pg.ClientConfig },
  warn: Warn,
  now: () => number,
): ScheduledBackups {
  const stop = new AbortController();
  const runs = openSerialQueue();
  const startedAt = now();
  const tick = () =>
    runs
      .run(() => makeDueBackup(settings, { pool, owner }, stop.signal, warn, now, startedAt))
      .catch((error: Error) => warn('Scheduled backup failed', error.message));
  const timer = setInterval(tick, CHECK_EVERY_MS).unref();
  void tick();
  return {
    async close() {
      clearInterval(timer);
      stop.abort();
      await runs.ended();
    },
  };
}

/**
 * Makes the backup that is due, unless it exists or another process is making it.
 * @param startedAt ms; a backup that failed before this time is retried at once
 * @returns whether a backup was made
 */
export async function makeDueBackup(
  { folder, at, keep }: Settings,
  { pool, owner }: { readonly pool: Pool; readonly owner: pg.ClientConfig },
  signal: AbortSignal,
  warn: Warn,
  now: () => number,
  startedAt = 0,
): Promise<boolean> {
  const due = newestDueBackupTime(now(), at);
  const isDue = async () => {
    const { dueAt = 0, failure } = await readBackupState(pool);
    return (
      dueAt < due &&
      (failure === undefined ||
        failure.triedAt + RETRY_MS <= now() ||
        failure.triedAt < Math.max(due, startedAt))
    );
  };
  if (signal.aborted || !(await isDue())) return false;
  const { client, cut } = clientsWithoutTimeLimit(owner);
  signal.addEventListener('abort', cut);
  let release = async (): Promise<unknown> => undefined;
  try {
    // A separate connection holds the lock for the whole backup, so that the lock ends with the process.
    const lock = await client();
    const { rows } = await lock.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      ADVISORY_LOCK_KEYS.backup,
    ]);
    if (!rows[0]?.mine) return false;
    release = () => lock.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_KEYS.backup]);
    if (!(await isDue())) return false;
    await removeUnfinished(folder);
    await makeBackup({ pool, client }, join(folder, nameAt(now())), {
      signal,
      progress: () => {},
      by: 'BACKUP_AT',
      dueAt: due,
      note: (sentence) => warn('Scheduled backup', sentence),
    });
    await removeOldest(folder, keep);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    await recordFailedBackup(pool, now(), reasonOf(error as Error));
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    // Releases the lock before the connection is cut; otherwise the lock would stay until the database notices the cut.
    if (!signal.aborted) await release().catch(() => {});
    cut();
  }
}

/** Deletes the oldest scheduled backups; files with other names stay. */
async function removeOldest(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) await rm(join(folder, name));
}

/** Removes the unfinished file that a killed process left. @throws file errors, also when the folder is absent */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith('.part') && NAME.test(name.slice(0, -'.part'.length))) await rm(join(folder, name));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'de schijf van BACKUP_DIR is vol',
  EDQUOT: 'de schijf van BACKUP_DIR is vol',
  EFBIG: 'het bestand is te groot voor de schijf van BACKUP_DIR',
  ENOENT: 'de map van BACKUP_DIR is er niet',
  ENOTDIR: 'BACKUP_DIR is geen map',
  EACCES: 'het portaal mag niet schrijven in BACKUP_DIR',
  EPERM: 'het portaal mag niet schrijven in BACKUP_DIR',
  EROFS: 'de schijf van BACKUP_DIR is alleen te lezen',
};

/** Returns the reason of a failure in Dutch. */
function reasonOf(error: Error): string {
  const { code = '' } = (error.cause ?? error) as NodeJS.ErrnoException;
  return REASONS[code] ?? 'zie de logregels van het portaal';
}
