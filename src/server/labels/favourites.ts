import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { StreamRow } from '#server/streams/find-stream.ts';
import { lockMachine } from './lock-machine.ts';

/** The favourite machines of an account. */

/**
 * Adds a favourite. Idempotent.
 * @throws ProblemError 404
 */
export const addFavourite = (pool: Pool, caller: Caller, serial: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    const machine = await lockMachine(client, caller.scope, serial);
    const { rowCount } = await client.query(
      // Does nothing for an account that was just deleted, or is being deleted.
      `insert into favourite (account_id, stream_id)
       select id, $2 from (select id from account where id = $1 for key share) as still on conflict do nothing`,
      [caller.accountId, machine.id],
    );
    if (rowCount === 1) await logChange(client, caller, 'favourite.add', machine);
  });

/**
 * Removes a favourite. Idempotent.
 * @throws ProblemError 404
 */
export const removeFavourite = (pool: Pool, caller: Caller, serial: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    const machine = await lockMachine(client, caller.scope, serial);
    const { rowCount } = await client.query(
      'delete from favourite where account_id = $1 and stream_id = $2',
      [caller.accountId, machine.id],
    );
    if (rowCount === 1) await logChange(client, caller, 'favourite.remove', machine);
  });

const logChange = (
  client: Transaction,
  { email: actor }: Caller,
  action: 'favourite.add' | 'favourite.remove',
  { id: streamId, serial: subject }: StreamRow,
) => audit(client, { actor, action, subject, streamId, data: {} });
