import type { Database } from '#server/platform/database.ts';
import { JOBS_SCHEMA } from '#server/platform/jobs.ts';

/** All queues whose jobs send a mail. */
export const MAIL_QUEUES = [
  'mail',
  'alert-mail',
  'confirm-address',
  'invitation-mail',
  'password-reset',
  'report-mail',
];

/** Returns the number of queued mails, and the age of the oldest in seconds. */
export async function measureMailQueue(
  db: Database,
): Promise<{ readonly count: number; readonly age: number }> {
  const { rows } = await db.query<{ count: number; age: number }>(
    `select count(*)::float8 as count, coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as age
     from ${JOBS_SCHEMA}.job where name = any ($1) and state < 'completed'`,
    [MAIL_QUEUES],
  );
  return rows[0] ?? { count: 0, age: 0 };
}
