import { createHmac, randomBytes } from 'node:crypto';
import type { Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/**
 * People who were deleted or refused cannot register again with the organization's code. The table holds no addresses, only
 * hashes under a key of the organization, which is encrypted with SECRETS_KEY.
 */

const KEY_BYTES = 32;
const COLUMN = 'organization.address_key';

const hashOf = (key: string, email: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(email.toLowerCase()).digest();

/**
 * Blocks an e-mail from registering again. Call it in the deleting transaction, before the delete, so that a simultaneous
 * registration waits for it.
 */
export async function blockAddress(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<void> {
  await client.query('select from organization where id = $1 for no key update', [organizationId]);
  const known = await keyOf(client, secrets, organizationId);
  const key = known ?? randomBytes(KEY_BYTES).toString('base64');
  if (known === undefined)
    await client.query('update organization set address_key = $2 where id = $1', [
      organizationId,
      secrets.seal(COLUMN, organizationId, key),
    ]);
  await client.query(
    'insert into departed (organization_id, address_hash) values ($1, $2) on conflict do nothing',
    [organizationId, hashOf(key, email)],
  );
}

/** Returns whether the e-mail is blocked. The caller holds the lock on the organization. */
export async function isAddressBlocked(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<boolean> {
  const key = await keyOf(client, secrets, organizationId);
  if (key === undefined) return false;
  const { rowCount } = await client.query(
    'select from departed where organization_id = $1 and address_hash = $2',
    [organizationId, hashOf(key, email)],
  );
  return rowCount === 1;
}

/** Lifts the block for an invited person. */
export async function unblockAddress(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<void> {
  const key = await keyOf(client, secrets, organizationId);
  if (key !== undefined)
    await client.query('delete from departed where organization_id = $1 and address_hash = $2', [
      organizationId,
      hashOf(key, email),
    ]);
}

/** Returns the organization's key for the hashes; undefined when the organization has no blocked people yet. */
async function keyOf(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
): Promise<string | undefined> {
  const { rows } = await client.query<{ sealed: Buffer | null }>(
    'select address_key as sealed from organization where id = $1',
    [organizationId],
  );
  const sealed = rows[0]?.sealed;
  return sealed ? secrets.open(COLUMN, organizationId, sealed) : undefined;
}
