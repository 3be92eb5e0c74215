import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

/** Plants a report by mail for a person outside the table. Returns its id. */
export async function plantReportMail(
  { pool, user }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<number> {
  const email = `rapport@${markerOf('eigen')}.example`;
  await user(email, ids.get('eigen') as number);
  const { rows } = await pool.query<{ id: number }>(
    `insert into report_subscription (account_id, organization_id, kind, rhythm, minutes, projects, created_at)
     select id, organization_id, 'inzet', 'week', 1, (select array_agg(id) from project), now() from account where email = $1
     returning id`,
    [email],
  );
  const id = rows[0]?.id as number;
  await pool.query(
    `insert into report_mail (subscription_id, first_day, asked_at) values ($1, current_date, now())`,
    [id],
  );
  return id;
}
