import type { Caller } from '#server/auth/sessions.ts';
import type { Database } from '#server/platform/database.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { OwnSubscription } from '#shared/contract/account.ts';

/** Returns the machines about which the caller gets charging mails, by name; only machines that the caller may still see (MAIL-01). */
export async function listOwnSubscriptions(
  db: Database,
  { accountId, scope }: Caller,
): Promise<OwnSubscription[]> {
  const { rows } = await db.query<OwnSubscription>(
    `select s.serial as serial_number, s.alias, s.organization_name as organization
     from ${visibleStreamsSql(scope)} join alert_rule r on r.kind = 'charging' and r.ids[1] = s.id and r.account_id = $3
     order by lower(s.alias), s.serial`,
    [...visibleStreamsParameters(scope, ['machine']), accountId],
  );
  return rows;
}
