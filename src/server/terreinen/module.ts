import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { createTerrein, deleteTerrein, editTerrein, type TerreinServices } from './terrein-changes.ts';
import { listTerreinen } from './terreinen.store.ts';

/** Serves terreinen: areas of an organization that are no project (53.11). */
export const terreinen: Module<Caller, TerreinServices> = {
  topics: {
    terrein: {
      title: 'Terreinen',
      about: 'Gebieden van een organisatie die geen project zijn: een werf, een werkplaats, een depot.',
    },
  },
  routes: (serve, parts) => {
    const { pool } = parts;
    serve('GET /api/terrein/get', ({ caller }) => listTerreinen(pool, caller.scope));

    serve('POST /api/terrein/create', async ({ caller, body }) => ({
      message: 'Het terrein is gemaakt.',
      _id: await createTerrein(parts, caller, body),
    }));

    serve('POST /api/terrein/edit', async ({ caller, body }) => ({
      message: 'Het terrein is gewijzigd.',
      version: await editTerrein(parts, caller, body),
    }));

    serve('POST /api/terrein/delete', async ({ caller, body: { _id } }) => {
      await deleteTerrein(parts, caller, _id);
      return { message: 'Het terrein is verwijderd.' };
    });
  },
};
