import type { Caller } from '#server/auth/sessions.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { ADMIN_ORGANIZATION, type Scope } from '#shared/domain/access.ts';

type Setting = { readonly mailsReportFiles: boolean };

/**
 * Returns whether mailed reports have their file attached.
 * @throws ProblemError 404 outside the scope, and for `admin`, whose report mails never have a file
 */
export async function readReportAttachmentSetting(
  db: Database,
  scope: Scope,
  name: string,
  lock: '' | 'for no key update' = '',
): Promise<Setting> {
  const { rows } = await db.query<Setting>(
    `select mails_report_files from organization
     where name = $1 and name <> $3 and ($2::integer[] is null or id = any ($2)) ${lock}`,
    [name, organizationsParameter(scope), ADMIN_ORGANIZATION],
  );
  if (!rows[0]) throw notFound('Deze organisatie bestaat niet.');
  return rows[0];
}

/**
 * Changes whether mailed reports have their file attached.
 * @throws ProblemError 404 as readReportAttachmentSetting
 */
export const changeReportAttachmentSetting = (
  pool: Pool,
  { email: actor, scope }: Caller,
  name: string,
  mailsReportFiles: boolean,
): Promise<Setting> =>
  inTransaction(pool, async (client) => {
    const before = await readReportAttachmentSetting(client, scope, name, 'for no key update');
    const after = { mailsReportFiles };
    await client.query('update organization set mails_report_files = $2 where name = $1', [
      name,
      mailsReportFiles,
    ]);
    await audit(client, {
      actor,
      action: 'organization.report-files',
      subject: name,
      data: {},
      before,
      after,
    });
    return after;
  });
