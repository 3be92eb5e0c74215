import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { createFactor, deleteFactor, editFactor } from './factor-changes.ts';
import { listFactors } from './factors.store.ts';

/** Serves the factors with which reports compute costs and CO2 (14.3). */
export const reportFactors: Module<Caller> = {
  topics: {
    'report-factor': {
      title: 'Factoren van rapporten',
      about: 'Waarmee een organisatie in haar rapporten rekent; niets is vooraf ingevuld.',
    },
  },
  routes: (serve, { pool }) => {
    serve('GET /api/report-factor/get', ({ caller }) => listFactors(pool, caller.scope));

    serve('POST /api/report-factor/create', async ({ caller, body }) => ({
      message: 'De factor is opgeslagen.',
      _id: await createFactor(pool, caller, body),
    }));

    serve('POST /api/report-factor/edit', async ({ caller, body }) => {
      await editFactor(pool, caller, body);
      return { message: 'De factor is gewijzigd.' };
    });

    serve('POST /api/report-factor/delete', async ({ caller, body: { _id } }) => {
      await deleteFactor(pool, caller, _id);
      return { message: 'De factor is verwijderd.' };
    });
  },
};
