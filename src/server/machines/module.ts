import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { deleteStream, isSameSerial } from '#server/streams/streams.store.ts';
import { deletedStreams, restoreDeleted } from '#server/writers/restore-stream.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';
import type {
  DeletedMachine,
  MachineEdit,
  MachineInput,
  MachineToDelete,
  WithLoggerMove,
} from '#shared/contract/machines.ts';
import { createMachineRecord } from './create-machine.ts';
import { editMachine } from './edit-machine.ts';
import { listMachines, machineDetails, readAccessoriesByName } from './machine-list.ts';
import { previewSale, sellMachine } from './sell-machine.ts';

/**
 * Serves the records of machines (API-01, Machines).
 * @param graceDays the number of days in which a deleted machine can be restored: the setting DELETED_DAYS
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

    const create = async (caller: Caller, input: WithLoggerMove<MachineInput>) => {
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
      hulpstukken: await readAccessoriesByName(pool, caller.scope, query.merk),
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

/**
 * Deletes a machine: its readings stay for the grace period, its serial number and logger are free at once, and its logger's keys are
 * rejected.
 * @throws ProblemError 400 if the alias or organization in the request is not that of the machine, 404 if unknown
 */
function deleteMachine(
  pool: Pool,
  actor: string,
  { machine_serial: serial, alias, bedrijf: organization }: MachineToDelete,
  at: Date,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, serial, 'machine');
    if (alias && !isSameSerial(alias, stream.alias))
      throw invalidInputError(`Machine ${stream.serial} heet niet '${alias}'.`);
    if (organization && ![stream.organization, stream.organizationName].includes(organization.trim()))
      throw invalidInputError(`Machine ${stream.serial} is niet van '${organization}'.`);
    await deleteStream(client, stream.id, at);
    await releaseWriter(client, stream.id, at);
    const { id: streamId, serial: subject, alias: name } = stream;
    await audit(client, { actor, action: 'machine.delete', subject, streamId, data: { alias: name } });
  });
}

/**
 * Returns the machines that were deleted within the grace period (DELETED_DAYS), each with the reason why it cannot be restored, if there
 * is one.
 */
async function deletedMachines(db: Database, now: Date, graceDays: number): Promise<DeletedMachine[]> {
  const deleted = await deletedStreams(db, 'machine', now, graceDays);
  const { rows } = await db.query<{ id: number; brand: string; model: string }>(
    'select stream_id as id, brand, model from machine where stream_id = any ($1)',
    [deleted.map(({ _id }) => _id)],
  );
  const kinds = new Map(rows.map(({ id, ...kind }) => [id, kind]));
  return deleted.map(({ serial: serialNumber, ...entry }) => {
    const { brand = '', model = '' } = kinds.get(entry._id) ?? {};
    return { ...entry, brand, model, serialNumber };
  });
}
