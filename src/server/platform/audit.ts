import type { Database } from './database.ts';

/** What an administrator, or a program, changed. `action` is noun.verb; `data` holds no secrets. */
export type AuditEntry = {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Call it in the transaction of the change: both are there, or neither. */
export async function audit(db: Database, { actor, action, subject, data }: AuditEntry): Promise<void> {
  await db.query('insert into audit (actor, action, subject, data) values ($1, $2, $3, $4)', [
    actor,
    action,
    subject,
    JSON.stringify(data),
  ]);
}
