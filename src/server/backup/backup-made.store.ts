import type { Database } from '#server/platform/database.ts';

/** The newest verified backup, and the state of the scheduled ones; times in ms since 1970. */
export type BackupState = {
  /** When the newest verified backup was made; undefined if none has been made since the database was created or restored. */
  readonly verifiedAt: number | undefined;
  /** When the newest scheduled backup was due, by BACKUP_AT. */
  readonly dueAt: number | undefined;
  /** Set while scheduled backups fail, with the first and the newest attempt and the Dutch reason. */
  readonly failure: { readonly since: number; readonly triedAt: number; readonly reason: string } | undefined;
};

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

export async function readBackupState(db: Database): Promise<BackupState> {
  const { rows } = await db.query<
    Record<'at' | 'due' | 'since' | 'tried', number | null> & { reason: string | null }
  >(
    `select ${ms('at')} as at, ${ms('due_at')} as due, ${ms('failed_at')} as since, ${ms('tried_at')} as tried,
       failure as reason from backup_made`,
  );
  const { at, due, since, tried, reason } = rows[0] ?? {};
  return {
    verifiedAt: at ?? undefined,
    dueAt: due ?? undefined,
    failure: since == null ? undefined : { since, triedAt: tried ?? since, reason: reason ?? '' },
  };
}

/** Records a verified backup, which ends earlier failures. @param dueAt ms; time of the schedule, for a scheduled backup */
export async function recordVerifiedBackup(db: Database, dueAt?: number): Promise<void> {
  await db.query(
    `insert into backup_made as b (at, due_at) values (now(), to_timestamp($1::float8 / 1000))
     on conflict (id) do update set at = now(), due_at = coalesce(excluded.due_at, b.due_at),
       failed_at = null, tried_at = null, failure = null`,
    [dueAt ?? null],
  );
}

/** Records a failed scheduled backup. @param now ms @param reason Dutch */
export async function recordFailedBackup(db: Database, now: number, reason: string): Promise<void> {
  await db.query(
    `insert into backup_made as b (failed_at, tried_at, failure)
     values (to_timestamp($1::float8 / 1000), to_timestamp($1::float8 / 1000), $2)
     on conflict (id) do update set failed_at = coalesce(b.failed_at, excluded.failed_at), tried_at = excluded.tried_at,
       failure = excluded.failure`,
    [now, reason],
  );
}
