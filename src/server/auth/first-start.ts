import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { newPasswordRefusal } from './guessable.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

const ADMIN_NAME = 'Beheer';
// Letters and digits that do not look alike.
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * Creates the organization `admin` and its first administrator when there is none (docs/design.md section 3).
 * @param furnish adds the organization's initial rows, given its id
 * @returns the file with the generated password, when one was generated
 * @throws WeakPasswordError when ADMIN_PASSWORD is easy to guess
 */
export async function ensureAdministrator(
  pool: Pool,
  settings: { ADMIN_EMAIL?: string | undefined; ADMIN_PASSWORD?: string | undefined; DATA_DIR: string },
  furnish: (client: Transaction, organizationId: number) => Promise<void>,
): Promise<string | undefined> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK_KEYS.firstAdministrator]);
    const { rows: made } = await client.query<{ id: number }>(
      'insert into organization (name, clean, code) values ($1, $2, $3) on conflict (name) do nothing returning id',
      [ADMIN_ORGANIZATION, ADMIN_NAME, randomBytes(16).toString('hex')],
    );
    if (made[0]) await furnish(client, made[0].id);
    const { rowCount } = await client.query(
      'select 1 from account a join organization o on o.id = a.organization_id where o.name = $1 limit 1',
      [ADMIN_ORGANIZATION],
    );
    if (rowCount) {
      await checkFirstPassword(client, settings.DATA_DIR);
      return undefined;
    }
    const email = settings.ADMIN_EMAIL ?? 'admin@localhost';
    if (settings.ADMIN_PASSWORD !== undefined) await requireStrongPassword(email, settings.ADMIN_PASSWORD);
    const password = settings.ADMIN_PASSWORD ?? generatePassword();
    await client.query(
      `insert into account (email, password_hash, organization_id, role, must_change_password, confirmed_at)
       select $1, $2, id, 'administrator', $4, now() from organization where name = $3`,
      [email, await hashPassword(password), ADMIN_ORGANIZATION, settings.ADMIN_PASSWORD === undefined],
    );
    await audit(client, { actor: 'first start', action: 'user.create', subject: email, data: {} });
    if (settings.ADMIN_PASSWORD !== undefined) return undefined;
    // The file is written before the commit: a password that cannot be read must not become valid.
    const file = fileIn(settings.DATA_DIR);
    await mkdir(settings.DATA_DIR, { recursive: true });
    await writeFile(file, `${email}\n${password}\n`, { mode: 0o600 });
    return file;
  });
}

/** A reason not to start, as a sentence for the operator. */
export class WeakPasswordError extends Error {}

/** Refuses a password that is easy to guess. @throws WeakPasswordError */
async function requireStrongPassword(email: string, password: string): Promise<void> {
  const refusal = await newPasswordRefusal(password, { email, names: [ADMIN_ORGANIZATION, ADMIN_NAME] });
  if (refusal !== undefined)
    throw new WeakPasswordError(`ADMIN_PASSWORD is too easy to guess; set another. (${refusal})`);
}

const fileIn = (dataDir: string): string => join(dataDir, 'first-admin.txt');

/** Deletes first-admin.txt after the first password change. */
export const removeFirstPassword = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

/**
 * Deletes the file first-admin.txt of an earlier start when its password is no longer valid, because another process has changed
 * the password.
 */
async function checkFirstPassword(db: Database, dataDir: string): Promise<void> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const [email = '', password = ''] = text.split('\n');
  const { rows } = await db.query<{ passwordHash: string }>(
    'select password_hash from account where lower(email) = lower($1)',
    [email],
  );
  const account = rows[0];
  if (!account || !(await passwordMatches(account.passwordHash, password)))
    await removeFirstPassword(dataDir);
}

const generatePassword = (): string =>
  Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
