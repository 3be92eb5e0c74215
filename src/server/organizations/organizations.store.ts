import { randomInt } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';

/** Registration codes: 12 characters that do not look alike, 60 bits. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const newCode = (): string => Array.from({ length: 12 }, () => CODE_ALPHABET[randomInt(32)]).join('');

export type NewOrganization = { readonly name: string; readonly clean: string; readonly isBerende: boolean };

/** @returns its id */
export async function createOrganization(
  db: Database,
  { name, clean, isBerende }: NewOrganization,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'insert into organization (name, clean, code, is_berende) values ($1, $2, $3, $4) returning id',
    [name, clean, newCode(), isBerende],
  );
  return rows[0]?.id as number;
}

/** The id of the organization with that functional name. */
export async function findOrganization(db: Database, name: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>('select id from organization where name = $1', [name]);
  return rows[0]?.id;
}

/** An account in an organization; the password is hashed by the caller. */
export async function createAccount(
  db: Database,
  { email, passwordHash, organizationId }: { email: string; passwordHash: string; organizationId: number },
): Promise<void> {
  await db.query('insert into account (email, password_hash, organization_id) values ($1, $2, $3)', [
    email,
    passwordHash,
    organizationId,
  ]);
}
