import { createHmac, randomBytes } from 'node:crypto';
import type { Transaction } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/**
 * Who was deleted or refused does not come back with the organization's code. What is kept for that is no address: a
 * hash of it under a key of the organization's own, which only SECRETS_KEY opens.
 */

const KEY_BYTES = 32;
const COLUMN = 'organization.address_key';

const hashOf = (key: string, email: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(email.toLowerCase()).digest();

/** In the transaction in which they go, before they do: who registers meanwhile waits for it. */
export async function rememberDeparted(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<void> {
  const { rows } = await client.query<{ sealed: Buffer | null }>(
    'select address_key as sealed from organization where id = $1 for no key update',
    [organizationId],
  );
  const sealed = rows[0]?.sealed;
  const key = sealed
    ? secrets.open(COLUMN, organizationId, sealed)
    : randomBytes(KEY_BYTES).toString('base64');
  if (!sealed)
    await client.query('update organization set address_key = $2 where id = $1', [
      organizationId,
      secrets.seal(COLUMN, organizationId, key),
    ]);
  await client.query(
    'insert into departed (organization_id, address_hash) values ($1, $2) on conflict do nothing',
    [organizationId, hashOf(key, email)],
  );
}

/** Whether they were; call it under the lock on the organization. */
export async function hasDeparted(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<boolean> {
  const hash = await hashIn(client, secrets, organizationId, email);
  if (!hash) return false;
  const { rowCount } = await client.query(
    'select from departed where organization_id = $1 and address_hash = $2',
    [organizationId, hash],
  );
  return rowCount === 1;
}

/** They are asked back. */
export async function forgetDeparted(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<void> {
  const hash = await hashIn(client, secrets, organizationId, email);
  if (hash)
    await client.query('delete from departed where organization_id = $1 and address_hash = $2', [
      organizationId,
      hash,
    ]);
}

/** undefined: nobody has gone there yet. */
async function hashIn(
  client: Transaction,
  secrets: Secrets,
  organizationId: number,
  email: string,
): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ sealed: Buffer | null }>(
    'select address_key as sealed from organization where id = $1',
    [organizationId],
  );
  const sealed = rows[0]?.sealed;
  return sealed ? hashOf(secrets.open(COLUMN, organizationId, sealed), email) : undefined;
}
