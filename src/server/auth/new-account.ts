import type { Database } from '#server/platform/database.ts';
import { ADMIN_ORGANIZATION, type Limit, type Role, usualRole } from '#shared/domain/access.ts';

export type NewAccount = {
  readonly email: string;
  readonly passwordHash: string;
  readonly organizationId: number;
  /** By itself the first account that an organization ever has becomes beheerder; of `admin` nobody administrator. */
  readonly role?: Role | undefined;
  /** The limit of the invitation; absent: none. */
  readonly limit?: Limit | null;
  /** Whether it is known that the address is theirs: only then mail about machines goes there. */
  readonly isConfirmed?: boolean;
  /** Registered by code: until the address is confirmed nothing is served but their own account. */
  readonly mustConfirm?: boolean;
  /** Whether they know their password: who comes in by their organization's provider has none but by name. */
  readonly hasPassword?: boolean;
};

/**
 * An account in an organization, which waits for others that are being made there.
 * @returns its id; undefined when the e-mail has an account
 */
export async function createAccount(
  db: Database,
  {
    email,
    passwordHash,
    organizationId,
    role,
    limit = null,
    isConfirmed = false,
    mustConfirm = false,
    hasPassword = true,
  }: NewAccount,
): Promise<number | undefined> {
  const { rows: organizations } = await db.query<{ name: string; hadAccount: boolean }>(
    'select name, had_account as "hadAccount" from organization where id = $1 for no key update',
    [organizationId],
  );
  const { name = '', hadAccount = true } = organizations[0] ?? {};
  const isFirst = !hadAccount && name !== ADMIN_ORGANIZATION;
  const { rows } = await db.query<{ id: number }>(
    `insert into account (email, password_hash, organization_id, role, confirmed_at, has_password, must_confirm, limit_projects,
       limit_labels, only_today)
     values ($1, $2, $3, $4, case when $5 then now() end, $6, $7, $8, $9, $10)
     on conflict ((lower(email))) do nothing returning id`,
    [
      email,
      passwordHash,
      organizationId,
      role ?? (isFirst ? 'beheerder' : usualRole(name)),
      isConfirmed,
      hasPassword,
      mustConfirm,
      limit?.projects ?? null,
      limit?.labels ?? null,
      limit?.onlyToday ?? false,
    ],
  );
  if (rows[0] && !hadAccount)
    await db.query('update organization set had_account = true where id = $1', [organizationId]);
  return rows[0]?.id;
}
