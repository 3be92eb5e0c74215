import type { Caller } from '#server/auth/sessions.ts';
import type { Serve } from '#server/platform/serve.ts';
import { createTerrein, deleteTerrein, editTerrein, type Terreinen } from './terrein-changes.ts';
import { listTerreinen } from './terreinen.store.ts';

/** Serves areas of an organization that are no project (53.11). */
export function terreinRoutes(
  serve: Serve<Caller>,
  { pool, recomputations }: Omit<Terreinen, 'now'>,
  now: () => number,
): void {
  const terreinen: Terreinen = { pool, recomputations, now };
  serve('GET /api/terrein/get', ({ caller }) => listTerreinen(pool, caller.scope));

  serve('POST /api/terrein/create', async ({ caller, body }) => ({
    message: 'Het terrein is gemaakt.',
    _id: await createTerrein(terreinen, caller, body),
  }));

  serve('POST /api/terrein/edit', async ({ caller, body }) => ({
    message: 'Het terrein is gewijzigd.',
    version: await editTerrein(terreinen, caller, body),
  }));

  serve('POST /api/terrein/delete', async ({ caller, body: { _id } }) => {
    await deleteTerrein(terreinen, caller, _id);
    return { message: 'Het terrein is verwijderd.' };
  });
}
