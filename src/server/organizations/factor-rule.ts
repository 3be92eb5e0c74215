import { type Caller, mustHaveFactorSql, type SecondFactorSetting } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { SecondFactorRule } from '#shared/contract/factors.ts';
import type { Scope } from '#shared/domain/access.ts';

/** Returns whether everybody in an organization needs a second factor. @throws ProblemError 404 outside the scope */
export async function readSecondFactorRequirement(
  db: Database,
  setting: SecondFactorSetting,
  scope: Scope,
  name: string,
): Promise<SecondFactorRule> {
  const { rows } = await db.query<SecondFactorRule>(
    `select o.requires_second_factor as is_required, ${mustHaveFactorSql(3)} and not o.requires_second_factor as by_operator,
       (select count(*)::int from account a where a.organization_id = o.id) as people,
       (select count(*)::int from account a where a.organization_id = o.id and not exists
         (select from factor f where f.account_id = a.id and f.disabled_at is null)) as without
     from organization o where ($1::integer[] is null or o.id = any ($1)) and o.name = $2`,
    [scope.organizations === 'all' ? null : scope.organizations, name, setting],
  );
  if (!rows[0]) throw notFound('Deze organisatie bestaat niet.');
  return rows[0];
}

/**
 * Sets whether an organization requires a second factor. Every process is notified (auth/sql/session-changed.sql): signed-in
 * people without a factor may then only set one up.
 * @throws ProblemError 404 outside the caller's scope
 */
export const setSecondFactorRequirement = (
  pool: Pool,
  setting: SecondFactorSetting,
  { email, scope }: Caller,
  name: string,
  isRequired: boolean,
): Promise<SecondFactorRule> =>
  inTransaction(pool, async (client) => {
    const { isRequired: before } = await readSecondFactorRequirement(client, setting, scope, name);
    if (before !== isRequired) {
      await client.query('update organization set requires_second_factor = $2 where name = $1', [
        name,
        isRequired,
      ]);
      await audit(client, {
        actor: email,
        action: 'organization.second-factor',
        subject: name,
        data: {},
        before: { isRequired: before },
        after: { isRequired },
      });
    }
    return readSecondFactorRequirement(client, setting, scope, name);
  });
