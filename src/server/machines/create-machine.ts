import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalid, ProblemError } from '#server/platform/problem.ts';
import { findReference } from '#server/streams/find-stream.ts';
import { asSerial, findStream, orSerialTaken } from '#server/streams/streams.store.ts';
import { requireFreeLogger } from '#server/writers/bind-logger.ts';
import type { MachineInput } from '#shared/contract/machines.ts';
import { readMachineForm } from './machine-form.ts';
import { createMachine } from './machines.store.ts';

/** A record as create and edit answer it. */
export type SavedMachine = { readonly serialNumber: string; readonly version: number };

/**
 * Makes a machine's record, the first of the three steps; nothing is bound yet (MEDIT-05, MEDIT-06).
 * @param actor the administrator's e-mail
 * @throws ProblemError 400 wrong input, 409 the serial number exists or the logger reports for another machine
 */
export function createMachineRecord(pool: Pool, actor: string, input: MachineInput): Promise<SavedMachine> {
  const form = readMachineForm(input);
  const { serial, loggerSerial } = form;
  if (!loggerSerial) throw invalid('Influx serienummer ontbreekt.');
  if (!form.macaddress) throw invalid('MAC-adres ontbreekt.');
  return orSerialTaken(serialTaken, () =>
    inTransaction(pool, async (client) => {
      if ((await findStream(client, serial)) !== undefined) throw serialTaken();
      const organizationId = await ownerNamed(client, form.organization);
      const reference = await findReference(client, input.dbc_machine, serial);
      await requireFreeLogger(client, loggerSerial, undefined);
      await createMachine(client, { ...form, organizationId, referenceStreamId: reference?.id });
      const data = { alias: form.alias, organization: form.organization, logger: loggerSerial };
      await audit(client, { actor, action: 'machine.create', subject: serial, data });
      return { serialNumber: serial, version: 1 };
    }),
  );
}

/** The organization of that functional name; it stays until the transaction ends. @throws ProblemError 400 */
export async function ownerNamed(db: Transaction, name: string): Promise<number> {
  const wanted = asSerial(name);
  if (wanted === '') throw invalid('Kies een organisatie.');
  const { rows } = await db.query<{ id: number }>(
    'select id from organization where name = $1 for key share',
    [wanted],
  );
  if (!rows[0]) throw invalid(`Organisatie '${wanted}' bestaat niet.`);
  return rows[0].id;
}

export const serialTaken = () =>
  new ProblemError('conflict', 'Er bestaat al een machine met dit serienummer.');
