import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import { restoreDeleted } from '#server/writers/restore-stream.ts';
import type { MachineEdit, MachineInput, WithMove } from '#shared/contract/machines.ts';
import { createMachineRecord } from './create-machine.ts';
import { deleteMachine } from './delete-machine.ts';
import { deletedMachines } from './deleted-machines.ts';
import { editMachine } from './edit-machine.ts';
import { accessoriesOf, listMachines, machineDetails } from './machine-list.ts';
import { previewSale, sellMachine } from './sell-machine.ts';

/**
 * Serves the records of machines (API-01, Machines).
 * @param graceDays DELETED_DAYS
 */
export const machines: Module<
  Caller,
  { readonly pool: Pool; readonly graceDays: number; readonly now: () => number }
> = {
  topics: {
    machine: {
      title: 'Machines',
      about: 'Machines, hun logger, hun datadefinitie (DBC) en het configuratiebestand.',
    },
  },
  routes: (serve, { pool, graceDays, now }) => {
    const clock = () => new Date(now());

    const create = async (caller: Caller, input: WithMove<MachineInput>) => {
      const saved = await createMachineRecord(pool, caller.email, input);
      return { message: 'Machine is gemaakt.', ...saved };
    };
    serve('GET /api/machine/create', ({ query, caller }) => create(caller, query));
    serve('POST /api/machine/create', ({ body, caller }) => create(caller, body));

    const edit = async (caller: Caller, input: MachineEdit) => {
      const saved = await editMachine(pool, caller.email, input, clock());
      return { message: 'Machine is opgeslagen.', ...saved };
    };
    serve('GET /api/machine/edit', ({ query, caller }) => edit(caller, query));
    serve('POST /api/machine/edit', ({ body, caller }) => edit(caller, body));

    serve('GET /api/machine/sale/:serial', ({ params, query }) =>
      previewSale(pool, { ...params, ...query }, clock()),
    );
    serve('POST /api/machine/sell', async ({ body, caller }) => ({
      message: await sellMachine(pool, caller.email, body, clock()),
    }));

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
      const restore = { kind: 'machine', streamId: body._id, actor: caller.email } as const;
      const { serial, logger } = await restoreDeleted(pool, { ...restore, now: clock(), graceDays });
      return { message: `Machine is teruggezet.${logger}`, serialNumber: serial };
    });
  },
};
