import { requireNoPendingDeletion } from '#server/auth/require-not-leaving.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { findReferenceMachine } from '#server/streams/find-stream.ts';
import { findStream, normalizeSerial, withSerialTakenError } from '#server/streams/streams.store.ts';
import { requireFreeLogger } from '#server/writers/bind-logger.ts';
import type { MachineInput, WithLoggerMove } from '#shared/contract/machines.ts';
import { MACHINE_FIELDS, readMachineForm } from './machine-form.ts';
import { createMachine } from './machines.store.ts';

/** The answer of create and edit. */
export type SavedMachine = { readonly serialNumber: string; readonly version: number };

/**
 * Creates a machine's record, the first of three steps of the creation (MEDIT-05, MEDIT-06). The second binds the logger: a logger that
 * reports for another stream is rejected, unless the caller names that stream (`logger_from`).
 * @param actor the administrator's e-mail
 * @throws ProblemError 400 for invalid input, 409 if the serial number exists or the logger reports for another machine
 */
export function createMachineRecord(
  pool: Pool,
  actor: string,
  input: WithLoggerMove<MachineInput>,
): Promise<SavedMachine> {
  const { logger_from: from } = input;
  const errors = new FieldErrors(MACHINE_FIELDS);
  const form = readMachineForm(input, errors);
  const { serial, loggerSerial = '' } = form;
  if (!input.influx_serial?.trim()) errors.add('influx_serial', 'Influx serienummer ontbreekt.');
  if (!input.macaddress?.trim()) errors.add('macaddress', 'MAC-adres ontbreekt.');
  return withSerialTakenError(serialTakenError, () =>
    inTransaction(pool, async (client) => {
      await errors.ask('machine_serial', () => requireFreeSerial(client, serial));
      const owner = await errors.ask('bedrijf', () => lockOwnerByName(client, form.organization));
      const reference = await errors.ask('dbc_machine', () =>
        findReferenceMachine(client, input.dbc_machine, input.machine_serial),
      );
      await errors.ask('influx_serial', () => requireFreeLogger(client, loggerSerial, undefined, from));
      errors.throwIfAny();
      const organizationId = owner as number;
      const streamId = await createMachine(client, {
        ...form,
        organizationId,
        referenceStreamId: reference?.id,
        plannedLogger: loggerSerial,
      });
      const data = { alias: form.alias, logger: loggerSerial };
      const aside = reference ? { reference: reference.serial } : {};
      await audit(client, { actor, action: 'machine.create', subject: serial, streamId, data, aside });
      return { serialNumber: serial, version: 1 };
    }),
  );
}

/**
 * Returns the organization with a functional name, locked until the transaction ends.
 * @throws ProblemError 400
 */
export async function lockOwnerByName(db: Transaction, name: string): Promise<number> {
  const wanted = normalizeSerial(name);
  if (wanted === '') throw invalidInputError('Kies een organisatie.');
  const { rows } = await db.query<{ id: number }>(
    'select id from organization where name = $1 for key share',
    [wanted],
  );
  if (!rows[0]) throw invalidInputError(`Organisatie '${wanted}' bestaat niet.`);
  await requireNoPendingDeletion(db, rows[0].id);
  return rows[0].id;
}

/**
 * Requires that a serial number is free.
 * @param own the id of the machine that is edited; the machine may keep its serial number
 * @throws ProblemError 409
 */
export async function requireFreeSerial(db: Transaction, serial: string, own?: number): Promise<void> {
  const taken = await findStream(db, serial);
  if (taken !== undefined && taken !== own) throw serialTakenError();
}

export const serialTakenError = () =>
  new ProblemError('conflict', 'Er bestaat al een machine met dit serienummer.');
