import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Privacy } from '#shared/domain/privacy.ts';

/** Returns the privacy settings of an organization. @throws ProblemError 404 outside the scope */
export async function readPrivacy(
  db: Database,
  scope: Scope,
  name: string,
  lock: '' | 'for no key update' = '',
): Promise<Privacy> {
  const { rows } = await db.query<{ privacy: Privacy }>(
    `select privacy from organization where name = $1 and ($2::integer[] is null or id = any ($2)) ${lock}`,
    [name, scope.organizations === 'all' ? null : scope.organizations],
  );
  if (!rows[0]) throw notFound('Deze organisatie bestaat niet.');
  return rows[0].privacy;
}

/** Changes the privacy settings of an organization. @throws ProblemError 404 outside the caller's scope */
export const changePrivacy = (pool: Pool, caller: Caller, name: string, privacy: Privacy): Promise<Privacy> =>
  inTransaction(pool, async (client) => {
    const before = await readPrivacy(client, caller.scope, name, 'for no key update');
    await client.query('update organization set privacy = $2 where name = $1', [name, privacy]);
    await audit(client, {
      actor: caller.email,
      action: 'organization.privacy',
      subject: name,
      data: {},
      before,
      after: privacy,
    });
    return privacy;
  });
