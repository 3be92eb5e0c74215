import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { createFactor, deleteFactor, editFactor } from './factor-changes.ts';
import { listFactors } from './factors.store.ts';

/** Serves the factors of reports (14.3). */
export function reportFactorRoutes(serve: Serve<Caller>, pool: Pool): void {
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
}
