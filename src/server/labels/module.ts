import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { addFavourite, removeFavourite } from './favourites.ts';
import { assignLabel, createLabel, deleteLabel, editLabel, unassignLabel } from './label-changes.ts';
import { listLabels } from './labels.store.ts';

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
