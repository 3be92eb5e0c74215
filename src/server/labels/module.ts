import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import type { StreamRow } from '#server/streams/find-stream.ts';
import { assignLabel, createLabel, deleteLabel, editLabel, unassignLabel } from './label-changes.ts';
import { listLabels } from './labels.store.ts';
import { lockMachine } from './lock-machine.ts';

/** Serves labels of machines, and favourites (15.2). */
export const labels: Module<Caller> = {
  topics: {
    label: { title: 'Labels', about: 'Woorden die een organisatie haar machines geeft.' },
    favourite: { title: 'Favorieten', about: 'De machines die iemand bij de hand wil hebben.' },
  },
  routes: (serve, { pool }) => {
    serve('GET /api/label/get', ({ caller }) => listLabels(pool, caller.scope, caller.accountId));

    serve('POST /api/label/create', async ({ caller, body }) => ({
      message: 'Het label is gemaakt.',
      _id: await createLabel(pool, caller, body),
    }));

    serve('POST /api/label/edit', async ({ caller, body }) => {
      await editLabel(pool, caller, body);
      return { message: 'Het label is gewijzigd.' };
    });

    serve('POST /api/label/delete', async ({ caller, body: { _id } }) => {
      await deleteLabel(pool, caller, _id);
      return { message: 'Het label is verwijderd.' };
    });

    serve('POST /api/label/assign', async ({ caller, body }) => {
      await assignLabel(pool, caller, body);
      return { message: 'De machine draagt het label.' };
    });

    serve('POST /api/label/unassign', async ({ caller, body }) => {
      await unassignLabel(pool, caller, body);
      return { message: 'De machine draagt het label niet meer.' };
    });

    serve('POST /api/favourite/add', async ({ caller, body: { serial } }) => {
      await addFavourite(pool, caller, serial);
      return { message: 'De machine is een favoriet.' };
    });

    serve('POST /api/favourite/remove', async ({ caller, body: { serial } }) => {
      await removeFavourite(pool, caller, serial);
      return { message: 'De machine is geen favoriet meer.' };
    });
  },
};

/**
 * Adds a favourite. Idempotent.
 * @throws ProblemError 404
 */
const addFavourite = (pool: Pool, caller: Caller, serial: string): Promise<void> =>
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
const removeFavourite = (pool: Pool, caller: Caller, serial: string): Promise<void> =>
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
