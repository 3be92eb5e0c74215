import type { Caller } from '#server/auth/sessions.ts';
import { findOrganizationInScope } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { beginOrganizationDeletion, deletionTimeAfterGrace } from './begin-leaving.ts';
import { formerPeriods, requestFormerPeriodErasure } from './former-periods.ts';
import { countOrganizationData, listLeavingOrganizations } from './leaving.store.ts';
import { undoOrganizationDeletion } from './undo-leaving.ts';

/**
 * Serves the deletion of a customer, and of a former owner's history.
 * @param graceDays days for which deleted data is kept (DELETED_DAYS)
 */
export const leaving: Module<
  Caller,
  { readonly pool: Pool; readonly graceDays: number; readonly now: () => number }
> = {
  routes: (serve, { pool, graceDays, now }) => {
    const grace = () => ({ now: new Date(now()), graceDays });

    serve('GET /api/organization/leaving', () => listLeavingOrganizations(pool));

    serve('GET /api/organization/leave', async ({ caller, query }) => {
      const { id, name, clean } = await findOrganizationInScope(pool, caller.scope, query.name);
      if (name === ADMIN_ORGANIZATION)
        throw new ProblemError('conflict', 'De organisatie van de beheerders kan niet worden verwijderd.');
      const counts = await countOrganizationData(pool, id);
      return { name, clean, counts, removeFrom: deletionTimeAfterGrace(grace()).toISOString() };
    });

    serve('POST /api/organization/leave', async ({ caller, body }) => {
      const removeFrom = await beginOrganizationDeletion(pool, caller, body, grace());
      return {
        message: body.isFinal
          ? 'De organisatie wordt nu verwijderd, met alles wat van haar is. In het logboek staat straks wat er nog over is.'
          : `De organisatie is uitgeschakeld. Wat van haar is, wordt verwijderd vanaf ${dateAndTime(removeFrom.getTime())}.`,
      };
    });

    serve('POST /api/organization/leave/undo', async ({ caller, body }) => {
      const findings = await undoOrganizationDeletion(pool, caller, body.name, grace());
      return { message: `De organisatie is terug. ${findings}`.trim() };
    });

    serve('GET /api/machine/periods', ({ query }) => formerPeriods(pool, query.serial));
    serve('POST /api/machine/periods/erase', async ({ caller, body }) => {
      await requestFormerPeriodErasure(pool, caller, body.serial, body._id);
      return { message: 'De geschiedenis van die periode wordt gewist. Dat duurt enkele minuten.' };
    });
  },
};
