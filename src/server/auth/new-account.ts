import type { Database } from '#server/platform/database.ts';
import { type AccessLimit, ADMIN_ORGANIZATION, defaultRole, type Role } from '#shared/domain/access.ts';

export type NewAccount = {
  readonly email: string;
  readonly passwordHash: string;
  readonly organizationId: number;
  /**
   * Default: beheerder for the first account that an organization ever has, otherwise its usual role; never administrator by
   * default in `admin`.
   */
  readonly role?: Role | undefined;
  /** The access restriction that the invitation sets for the account; null: no restriction. */
  readonly limit?: AccessLimit | null;
  /** Whether the owner has shown that they read the mail of the address. Mail about machines goes to confirmed addresses only. */
  readonly isConfirmed?: boolean;
  /** Whether the account was registered by code, so that only 'Mijn account' is served until the address is confirmed. */
  readonly mustConfirm?: boolean;
  /** False for people who came in through an identity provider: they do not know their random password. */
  readonly hasPassword?: boolean;
};

/**
 * Creates an account in an organization. Serialized with other creations in that organization.
 * @returns its id; undefined when the e-mail already has an account
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
    'select name, had_account from organization where id = $1 for no key update',
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
      role ?? (isFirst ? 'beheerder' : defaultRole(name)),
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
