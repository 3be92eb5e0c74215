import { setTimeout } from 'node:timers/promises';
import { settleRefusals } from '#server/platform/refusals.ts';
import type { TestPortal } from './portal.ts';

/** The rows of the log, as a `from` item: people by the e-mail address that they have now, else by their id. */
export const AUDITED = `(
  select e.id, e.action, e.data, e.aside, e.changes, e.organization_id, e.stream_id, e.address,
    coalesce(by.email, e.actor, 'account ' || e.actor_id) as actor,
    coalesce(about.email, 'account ' || e.account_id, e.subject) as subject
  from audit e left join account by on by.id = e.actor_id left join account about on about.id = e.account_id
) as audited`;

/** Without the refusals so far, and early in a minute: those of the next 5 s are counted in one row each. */
export async function forgetRefusals({ pool, portal }: TestPortal): Promise<void> {
  const leftOfMinute = 60_000 - (Date.now() % 60_000);
  if (leftOfMinute < 5_000) await setTimeout(leftOfMinute);
  // They are stored a moment after the answer.
  await portal.refusals.close();
  await pool.query('delete from refusal');
}

/** As if the minute of the refusals so far were over. */
export async function settleNow({ pool, portal }: TestPortal): Promise<void> {
  await portal.refusals.close();
  await pool.query(`update refusal set minute = minute - interval '1 hour'`);
  await settleRefusals(pool);
}
