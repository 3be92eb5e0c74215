import type { Pool } from '#server/platform/database.ts';
import { settleRefusals } from '#server/platform/refusals.ts';

/** The rows of the log, as a `from` item: people by the e-mail address that they have now, else by their id. */
export const AUDITED = `(
  select e.id, e.action, e.data, e.aside, e.changes, e.organization_id, e.stream_id, e.address,
    coalesce(by.email, e.actor, 'account ' || e.actor_id) as actor,
    coalesce(about.email, 'account ' || e.account_id, e.subject) as subject
  from audit e left join account by on by.id = e.actor_id left join account about on about.id = e.account_id
) as audited`;

/** As if the minute of the refusals so far were over. */
export async function settleNow(pool: Pool): Promise<void> {
  await pool.query(`update refusal set minute = minute - interval '1 hour'`);
  await settleRefusals(pool);
}
