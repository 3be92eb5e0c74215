import type { Caller } from '#server/auth/sessions.ts';
import { type AuditChange, type AuditEntry, audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';

/** Adds an audit row about a setting of an organization, with the organization as its subject. */
export async function auditOrganization(
  client: Transaction,
  { email: actor }: Caller,
  action: AuditEntry['action'],
  organizationId: number,
  values: AuditChange,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from organization where id = $1', [
    organizationId,
  ]);
  const subject = rows[0]?.name ?? '';
  await audit(client, { actor, action, subject, organizationId, data: {}, ...values });
}
