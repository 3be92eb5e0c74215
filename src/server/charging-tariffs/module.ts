import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { createTariff, deleteTariff, editTariff } from './tariff-changes.ts';
import { listTariffs } from './tariffs.store.ts';

/** Serves the tariffs of charging (53.32). */
export const chargingTariffs: Module<Caller> = {
  topics: {
    'charging-tariff': {
      title: 'Laadtarieven',
      about: 'Wat een organisatie voor laden betaalt, in euro per kWh zonder btw; niets is vooraf ingevuld.',
    },
  },
  routes: (serve, { pool }) => {
    serve('GET /api/charging-tariff/get', ({ caller }) => listTariffs(pool, caller.scope));

    serve('POST /api/charging-tariff/create', async ({ caller, body }) => ({
      message: 'Het laadtarief is opgeslagen.',
      _id: await createTariff(pool, caller, body),
    }));

    serve('POST /api/charging-tariff/edit', async ({ caller, body }) => {
      await editTariff(pool, caller, body);
      return { message: 'Het laadtarief is gewijzigd.' };
    });

    serve('POST /api/charging-tariff/delete', async ({ caller, body: { _id } }) => {
      await deleteTariff(pool, caller, _id);
      return { message: 'Het laadtarief is verwijderd.' };
    });
  },
};
