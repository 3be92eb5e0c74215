import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { createMachineRecord } from './create-machine.ts';
import { deleteMachine } from './delete-machine.ts';
import { editMachine } from './edit-machine.ts';
import { accessoriesOf, listMachines, machineDetails } from './machine-list.ts';
import { deletedMachines, restoreMachine } from './restore-machine.ts';

/** API-01, Machines: the records. `graceDays`: DELETED_DAYS. */
export function machineRoutes(serve: Serve<Caller>, pool: Pool, graceDays: number, now: () => number): void {
  const clock = () => new Date(now());

  serve('GET /api/machine/create', async ({ query, caller }) => {
    const saved = await createMachineRecord(pool, caller.email, query);
    return { message: 'Machine is gemaakt.', ...saved };
  });

  serve('GET /api/machine/edit', async ({ query, caller }) => {
    const saved = await editMachine(pool, caller.email, query, clock());
    return { message: 'Machine is opgeslagen.', ...saved };
  });

  serve('DELETE /api/machine/delete', async ({ query, caller }) => {
    await deleteMachine(pool, caller.email, query, clock());
    return { message: `Machine is verwijderd. Haar metingen blijven ${graceDays} dagen bewaard.` };
  });

  serve('GET /api/machine/get', async ({ query, caller }) => ({
    hulpstukken: await accessoriesOf(pool, caller.scope, query.merk),
  }));

  serve('GET /api/machine/get/serial', ({ query, caller }) =>
    machineDetails(pool, caller.scope, query.serialNumber),
  );

  serve('GET /api/machine/get/all', ({ caller }) => listMachines(pool, caller.scope));

  serve('GET /api/machine/get/deleted', () => deletedMachines(pool, clock(), graceDays));

  serve('POST /api/machine/restore', async ({ body, caller }) => {
    const serialNumber = await restoreMachine(pool, caller.email, body._id, clock(), graceDays);
    return { message: 'Machine is hersteld. Geef haar logger een nieuw configuratiebestand.', serialNumber };
  });
}
