import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import { KNOWN_DEVICE_DAYS } from './cookies.ts';

/** Maximum number of known browsers per account; the least recently used ones are deleted first. */
const DEVICES_PER_ACCOUNT = 20;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the first 16 hexadecimal digits of the token's hash, which may be stored. */
export const shortDeviceHash = (token: string): string => hashOf(token).toString('hex').slice(0, 16);

/** Returns whether a browser with this token has signed in to the account with this e-mail (lower case). */
export async function isKnownDevice(db: Database, token: string, email: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from known_device k join account a on a.id = k.account_id
     where lower(a.email) = $1 and k.token_hash = $2 and k.last_used_at > now() - make_interval(days => $3)`,
    [email, hashOf(token), KNOWN_DEVICE_DAYS],
  );
  return rowCount === 1;
}

/**
 * Remembers the browser for the account, unless the account was deleted meanwhile.
 * @returns the token for the browser's cookie: the given one, or a new one
 */
export async function rememberDevice(
  db: Database,
  accountId: number,
  token: string | undefined,
): Promise<string> {
  const own =
    token !== undefined && /^[\w-]{43}$/.test(token) ? token : randomBytes(32).toString('base64url');
  await db.query(
    `insert into known_device (account_id, token_hash)
     select id, $2 from (select id from account where id = $1 for key share) as still
     on conflict (account_id, token_hash) do update set last_used_at = now()`,
    [accountId, hashOf(own)],
  );
  // `skip locked`: two simultaneous sign-ins that both clean up would deadlock.
  await db.query(
    `delete from known_device where account_id = $1 and token_hash in (
       select token_hash from known_device where account_id = $1 order by last_used_at desc offset $2
       for update skip locked
     )`,
    [accountId, DEVICES_PER_ACCOUNT],
  );
  return own;
}

/** Forgets the known browsers of an account after a new password, except the browser with the token `but`. */
export async function forgetDevices(db: Database, accountId: number, but?: string): Promise<void> {
  await db.query(
    'delete from known_device where account_id = $1 and ($2::bytea is null or token_hash <> $2)',
    [accountId, but === undefined ? null : hashOf(but)],
  );
}
