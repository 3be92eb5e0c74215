import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '#server/platform/database.ts';
import { readableCode } from '#server/platform/readable-code.ts';
import type { HashClient } from './hash-queue.ts';
import { hashWithSalt } from './passwords.ts';

/** Each code has 50 bits: too few for a plain hash (ASVS 5.0 V6.5.2), enough against the limited number of guesses. */
const CODE_LENGTH = 10;
const CODES = 10;

export type RecoveryCodes = {
  /** Codes that are shown once, as XXXXX-XXXXX. */
  readonly codes: readonly string[];
  readonly hashes: readonly Buffer[];
  readonly salt: Buffer;
};

/** Generates ten codes and their hashes. Call it outside a transaction, because hashing is slow. */
export async function newRecoveryCodes(): Promise<RecoveryCodes> {
  const codes = Array.from({ length: CODES }, () => readableCode(CODE_LENGTH));
  const salt = randomBytes(16);
  const hashes = await Promise.all(codes.map((code) => hashWithSalt(code, salt)));
  const half = CODE_LENGTH / 2;
  return { codes: codes.map((code) => `${code.slice(0, half)}-${code.slice(half)}`), hashes, salt };
}

/** Replaces the recovery codes of an account. */
export async function storeRecoveryCodes(
  client: Transaction,
  accountId: number,
  { hashes, salt }: RecoveryCodes,
): Promise<void> {
  await client.query('delete from recovery_code where account_id = $1', [accountId]);
  await client.query(
    'insert into recovery_code (account_id, code_hash, salt) select $1, unnest($2::bytea[]), $3',
    [accountId, hashes, salt],
  );
}

/**
 * Uses up a recovery code.
 * @param typed the code as typed; capitals, spaces and hyphens make no difference
 * @returns whether the code was valid
 */
export async function consumeRecoveryCode(
  db: Database,
  accountId: number,
  typed: string,
  by: HashClient,
): Promise<boolean> {
  const { rows } = await db.query<{ salt: Buffer }>(
    'select salt from recovery_code where account_id = $1 limit 1',
    [accountId],
  );
  if (!rows[0]) return false;
  // All codes of an account have one salt, so that a guess costs one hash instead of ten.
  const hash = await hashWithSalt(typed.replace(/[\s-]/g, '').toUpperCase(), rows[0].salt, by);
  const { rowCount } = await db.query('delete from recovery_code where account_id = $1 and code_hash = $2', [
    accountId,
    hash,
  ]);
  return rowCount === 1;
}
