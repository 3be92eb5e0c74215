import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { findHistory } from '#server/streams/scope.ts';
import { showMaintenance } from './maintenance.store.ts';
import { deletePlan, editPlan, makePlan, notePlanDone } from './maintenance-changes.ts';

/** What is to be done to machines, and what was (16.1). */
export function maintenanceRoutes(serve: Serve<Caller>, pool: Pool, now: () => number): void {
  serve('GET /api/maintenance/get', async ({ caller, query }) => {
    const { streamId } = await findHistory(pool, caller.scope, query.serial, ['machine']);
    return showMaintenance(pool, streamId, now());
  });

  serve('POST /api/maintenance/create', async ({ caller, body }) => ({
    message: 'Het onderhoud is toegevoegd.',
    _id: await makePlan(pool, caller, body, now()),
  }));

  serve('POST /api/maintenance/edit', async ({ caller, body }) => {
    await editPlan(pool, caller, body, now());
    return { message: 'Het onderhoud is gewijzigd.' };
  });

  serve('POST /api/maintenance/done', async ({ caller, body }) => {
    await notePlanDone(pool, caller, body, now());
    return { message: 'Genoteerd.' };
  });

  serve('POST /api/maintenance/delete', async ({ caller, body: { _id } }) => {
    await deletePlan(pool, caller, _id);
    return { message: 'Het onderhoud is verwijderd.' };
  });
}
