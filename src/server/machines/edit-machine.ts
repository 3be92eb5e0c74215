import {
  copyDefinition,
  type DefinitionAuthor,
  definitionIdOf,
  setWriterDefinition,
} from '#server/definitions/definitions.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { findReferenceMachine, lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import { ADMINISTRATOR_SCOPE } from '#server/streams/scope.ts';
import { renameStream, withSerialTakenError } from '#server/streams/streams.store.ts';
import { bindLogger, requireFreeLogger } from '#server/writers/bind-logger.ts';
import type { MachineDetails, MachineEdit } from '#shared/contract/machines.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import { lockOwnerByName, requireFreeSerial, type SavedMachine, serialTakenError } from './create-machine.ts';
import { MACHINE_FIELDS, type MachineForm, readMachineForm } from './machine-form.ts';
import { machineDetails } from './machine-list.ts';
import { updateMachine } from './machines.store.ts';

const NOT_SOLD_HERE =
  'Opslaan geeft de machine niet aan een andere organisatie: kies Verkoop of verplaats. Is zij intussen verkocht, laad de pagina dan opnieuw.';
const NOT_BY_THIS_FORM = 'Opslaan wisselt hem niet: kies Vervang logger of Koppel logger los.';

/**
 * Changes a machine: every field, or none if one is refused (MEDIT-07). If the machine has no logger, the logger in the input is bound to
 * it from `at` on. If the machine gets another reference machine, the reference's definition is copied. Absent fields stay unchanged. The
 * organization and a bound logger never change here: see sell-machine.ts and writers/.
 * @throws ProblemError 400 for invalid input, 404 if unknown, 409 if another user changed it, or if its serial number or logger is taken
 */
export function editMachine(pool: Pool, actor: string, input: MachineEdit, at: Date): Promise<SavedMachine> {
  const errors = new FieldErrors(MACHINE_FIELDS);
  const form = readMachineForm(input, errors);
  const known = input.version ? readVersion(input.version) : undefined;
  // Without `current_serial` the form names the machine, so the errors of the form are reported first.
  if (!input.current_serial) errors.throwIfAny();
  return withSerialTakenError(serialTakenError, () =>
    inTransaction(pool, async (client) => {
      const named = input.current_serial || input.machine_serial;
      const stream = await lockStream(client, named, 'machine');
      await errors.ask('machine_serial', () => requireFreeSerial(client, form.serial, stream.id));
      const owner = await errors.ask('bedrijf', () => lockOwnerByName(client, form.organization));
      if (owner !== undefined && owner !== stream.organizationId) errors.add('bedrijf', NOT_SOLD_HERE);
      const reference = await errors.ask('dbc_machine', () =>
        findReferenceMachine(client, input.dbc_machine, stream.serial),
      );
      const logger = form.loggerSerial;
      const present = (await currentWriter(client, stream.id))?.loggerSerial;
      if (present !== undefined && logger !== undefined && logger !== present)
        errors.add('influx_serial', `Bij deze machine hoort logger ${present}. ${NOT_BY_THIS_FORM}`);
      else if (logger) await errors.ask('influx_serial', () => requireFreeLogger(client, logger, stream.id));
      errors.throwIfAny();
      const before = await machineDetails(client, ADMINISTRATOR_SCOPE, stream.serial);
      const version = await writeRecord(client, stream.id, form, known);
      if (input.dbc_machine !== undefined)
        await setReference(client, { streamId: stream.id, madeBy: actor }, reference?.id);
      if (logger)
        await bindLogger(client, {
          streamId: stream.id,
          loggerSerial: logger,
          referenceStreamId: undefined,
          at,
          actor,
        });
      const after = await machineDetails(client, ADMINISTRATOR_SCOPE, form.serial);
      await auditEdit(client, actor, stream, before, after);
      return { serialNumber: form.serial, version };
    }),
  );
}

function readVersion(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw invalidInputError('De versie is geen getal.');
  return Number(text);
}

/**
 * Writes the record.
 * @returns its new version
 */
async function writeRecord(
  db: Transaction,
  streamId: number,
  form: MachineForm,
  known: number | undefined,
): Promise<number> {
  await renameStream(db, streamId, form);
  const version = await updateMachine(db, streamId, form, known);
  if (version === undefined) {
    throw new ProblemError(
      'conflict',
      'Iemand anders heeft deze machine intussen gewijzigd. Laad de pagina opnieuw.',
    );
  }
  return version;
}

async function setReference(
  db: Transaction,
  origin: DefinitionAuthor,
  referenceId: number | undefined,
): Promise<void> {
  const { streamId } = origin;
  const { rows } = await db.query<{ before: number | null }>(
    'select reference_stream_id as before from machine where stream_id = $1',
    [streamId],
  );
  const before = rows[0]?.before ?? undefined;
  if (before === referenceId) return;
  const writer = await currentWriter(db, streamId);
  await db.query('update machine set reference_stream_id = $2, takes_reference = $3 where stream_id = $1', [
    streamId,
    referenceId ?? null,
    // If the machine has no logger now, the next logger that is bound gets the reference machine's definition of that time.
    referenceId !== undefined && !writer,
  ]);
  const definitionId = writer && referenceId !== undefined && (await definitionIdOf(db, referenceId));
  if (definitionId) await setWriterDefinition(db, writer.id, await copyDefinition(db, definitionId, origin));
}

/** Adds the changes to the log of the machine's owner. */
async function auditEdit(
  db: Transaction,
  actor: string,
  { id: streamId }: StreamRow,
  before: MachineDetails,
  after: MachineDetails,
): Promise<void> {
  const entry = { actor, subject: after.serialNumber, streamId, data: {} } as const;
  const named = (text: string) => text || 'geen';
  // The reference machine may belong to another organization, so only administrators see it in the log.
  const isReferenceChanged = before.dbc_machine !== after.dbc_machine;
  const aside = isReferenceChanged
    ? { reference: `${named(before.dbc_machine)} → ${named(after.dbc_machine)}` }
    : undefined;
  await audit(db, {
    ...entry,
    action: 'machine.edit',
    ...(aside && { aside }),
    before: ownRecord(before),
    after: ownRecord(after),
  });
}

const ownRecord = ({
  _id,
  version,
  organization,
  cleanorg,
  dbc_machine,
  ...record
}: MachineDetails): LogValues => record;
