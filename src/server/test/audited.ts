import { setTimeout } from 'node:timers/promises';
import { storePastRefusals } from '#server/platform/refusals.ts';
import type { TestPortal } from './portal.ts';

/** SQL `from` item with the rows of the audit log. A person is named by their current e-mail address, otherwise by the account's id. */
export const AUDIT_ROWS_SQL = `(
  select e.id, e.action, e.data, e.aside, e.changes, e.organization_id, e.stream_id, e.address,
    coalesce(by.email, e.actor, 'account ' || e.actor_id) as actor,
    coalesce(about.email, 'account ' || e.account_id, e.subject) as subject
  from audit e left join account by on by.id = e.actor_id left join account about on about.id = e.account_id
) as audited`;

/**
 * Deletes the refusals so far. First waits for the next minute if less than 5 s are left of the present one, because refusals are
 * counted per minute, and the caller's next refusals must fall into one minute.
 */
export async function deleteRefusals({ pool, portal }: TestPortal): Promise<void> {
  const leftOfMinute = 60_000 - (Date.now() % 60_000);
  if (leftOfMinute < 5_000) await setTimeout(leftOfMinute);
  // Stores the buffered refusals, which the portal stores shortly after the answer.
  await portal.refusals.close();
  await pool.query('delete from refusal');
}

/** Stores the refusals so far in the audit log. Without this call that happens when their minute has passed. */
export async function storeRefusalsNow({ pool, portal }: TestPortal): Promise<void> {
  await portal.refusals.close();
  await pool.query(`update refusal set minute = minute - interval '1 hour'`);
  await storePastRefusals(pool);
}
