import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { openFairQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module } from '#server/platform/module.ts';
import { sendFile } from '#server/platform/send-chunks.ts';
import { readFleetMaintenance } from './fleet-maintenance.ts';
import { createMaintenanceFile } from './maintenance-file.ts';

const MAX_ITEMS = 500;
const STALL_MS = 60_000;
/** Maximum number of simultaneous answers in this process and per account, and of waiting ones per account. */
const MOST = 4;
const MAX_SIMULTANEOUS_PER_ACCOUNT = 2;
const MAX_QUEUED_PER_ACCOUNT = 20;

/** Serves the maintenance of all machines together. `now`: ms. */
export const fleetMaintenance: Module<Caller> = {
  routes: (serve, { pool, now }) => {
    const answers = openFairQueue(MOST, MAX_SIMULTANEOUS_PER_ACCOUNT, MAX_QUEUED_PER_ACCOUNT);

    serve('GET /api/maintenance/list', (call) =>
      answers.run(queuedCallerOf(call), async () => {
        const { caller, query } = call;
        const all = await readFleetMaintenance(pool, caller, query, now());
        const due = all.filter(({ state }) => state === 'due');
        const soon = all.filter(({ state }) => state === 'soon');
        const shown = { all, due, soon }[query.show];
        return {
          items: shown.slice(0, MAX_ITEMS),
          isCut: shown.length > MAX_ITEMS,
          counts: { due: due.length, soon: soon.length, all: all.length },
        };
      }),
    );

    serve('GET /api/maintenance/file', (call) =>
      answers.run(queuedCallerOf(call), async () => {
        const { caller, query, request, reply } = call;
        const { format, show } = query;
        const all = await readFleetMaintenance(pool, caller, query, now());
        const items = show === 'all' ? all : all.filter(({ state }) => state === show);
        const metadata = {
          by: caller.name ?? caller.email,
          organization: caller.organizationName,
          at: now(),
        };
        const file = createMaintenanceFile(items, format, metadata, caller.scope.organizations === 'all');
        if (request.method !== 'HEAD') {
          const { email: actor, organizationId } = caller;
          await audit(pool, {
            actor,
            action: 'maintenance.export',
            subject: '',
            data: { format },
            organizationId,
          });
        }
        reply
          .header('content-type', file.contentType)
          .header('content-disposition', `attachment; filename="${file.name}"`);
        return sendFile(request, reply, file.chunks, {
          stallMs: STALL_MS,
          onCut: (error) => request.log.error({ err: error }, 'A maintenance list was cut off'),
        });
      }),
    );
  },
};
