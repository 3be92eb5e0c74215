import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { findHistory } from '#server/streams/scope.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { readMachineMaintenance } from './maintenance.store.ts';
import { createPlan, deletePlan, editPlan, recordMaintenanceDone } from './maintenance-changes.ts';
import {
  applyTemplate,
  createTemplate,
  deleteTemplate,
  editTemplate,
  previewTemplate,
} from './template-changes.ts';
import { listTemplates } from './templates.store.ts';

/** Serves maintenance plans and templates (16.1). */
export const maintenance: Module<Caller> = {
  topics: {
    maintenance: {
      title: 'Onderhoud',
      about: 'Wat er om de zoveel draaiuren of maanden aan een machine moet gebeuren, en wat er is gedaan.',
    },
  },
  routes: (serve, { pool, now }) => {
    serve('GET /api/maintenance/get', async ({ caller, query }) => {
      const { streamId } = await findHistory(pool, caller.scope, query.serial, ['machine']);
      return readMachineMaintenance(pool, streamId, now());
    });

    serve('POST /api/maintenance/create', async ({ caller, body }) => ({
      message: 'Het onderhoud is toegevoegd.',
      _id: await createPlan(pool, caller, body, now()),
    }));

    serve('POST /api/maintenance/edit', async ({ caller, body }) => {
      await editPlan(pool, caller, body, now());
      return { message: 'Het onderhoud is gewijzigd.' };
    });

    serve('POST /api/maintenance/done', async ({ caller, body }) => {
      await recordMaintenanceDone(pool, caller, body, now());
      return { message: 'Genoteerd.' };
    });

    serve('POST /api/maintenance/delete', async ({ caller, body: { _id } }) => {
      await deletePlan(pool, caller, _id);
      return { message: 'Het onderhoud is verwijderd.' };
    });

    serve('GET /api/maintenance/template/get', ({ caller }) => listTemplates(pool, caller.scope));

    serve('POST /api/maintenance/template/create', async ({ caller, body }) => ({
      message: 'Het sjabloon is gemaakt.',
      _id: await createTemplate(pool, caller, body),
    }));

    serve('POST /api/maintenance/template/edit', async ({ caller, body }) => ({
      message: `Het sjabloon is gewijzigd. ${changedText(await editTemplate(pool, caller, body))}`,
    }));

    serve('POST /api/maintenance/template/delete', async ({ caller, body: { _id } }) => {
      await deleteTemplate(pool, caller, _id);
      return { message: 'Het sjabloon is verwijderd. De taken blijven op de machines.' };
    });

    serve('GET /api/maintenance/template/preview', ({ caller, query: { _id } }) =>
      previewTemplate(pool, caller.scope, _id),
    );

    serve('POST /api/maintenance/template/apply', async ({ caller, body }) => {
      const counts = await applyTemplate(pool, caller, body, now());
      return { ...counts, message: appliedText(counts) };
    });
  },
};

const changedText = (plans: number): string => {
  if (plans === 0) return 'Op machines is niets veranderd.';
  return plans === 1 ? 'Eén taak op een machine volgt.' : `${formatNumber(plans)} taken op machines volgen.`;
};

function appliedText({ machines, plans }: { readonly machines: number; readonly plans: number }): string {
  if (plans === 0) return 'Alle machines hebben deze taken al.';
  const on = machines === 1 ? 'Eén machine kreeg' : `${formatNumber(machines)} machines kregen`;
  return `${on} ${plans === 1 ? 'een taak' : `${formatNumber(plans)} taken`}.`;
}
