import { z } from 'zod';
import { LOGGER_KINDS } from '#shared/domain/identifiers.ts';
import type { Endpoints } from './endpoint.ts';
import { Accessory, DETAIL_ANSWER_SCHEMAS, DETAIL_QUERY_SCHEMAS } from './machine-fields.ts';

/** A text in a query or body; for an invalid text the server returns a Dutch message. */
const text = z.string().max(200);

/** The fields of both create and edit (API-01; docs/design.md section 4). */
const MachineInput = z.object({
  brand: text,
  model: text,
  alias: text,
  /** The organization's functional name: its name in calls and addresses. */
  bedrijf: text,
  /** Display name of the organization: accepted and ignored, because the server knows it. */
  cleanorg: text.optional(),
  machine_serial: text,
  influx_serial: text.optional(),
  /** Kind of the logger with number `influx_serial`; default: a ReXgen. */
  logger_kind: z.enum(LOGGER_KINDS).optional(),
  /** Serial number or name of the machine whose data definition is copied; empty, or the machine's own serial number: none. */
  dbc_machine: text.optional(),
  ...DETAIL_QUERY_SCHEMAS,
});
export type MachineInput = z.output<typeof MachineInput>;

const MachineEdit = MachineInput.extend({
  /** The version that the caller edited: the call returns 409 if the machine has changed since. */
  version: text.optional(),
  /** The present serial number, when `machine_serial` is a new one. */
  current_serial: text.optional(),
});
export type MachineEdit = z.output<typeof MachineEdit>;

/** The portal's own pages send the fields in a body, because accessories can be too long for a URL. */
const MachineBody = MachineInput.extend({ logger_from: text.optional() });
/**
 * `logger_from`: serial number or loggerid of the machine or LMB logger for which the logger reports now, and from
 * which writer/move will take it; the call returns 409 if the logger reports for something else.
 */
export type WithLoggerMove<Input> = Input & { readonly logger_from?: string | undefined };

const MachineToDelete = z.object({
  /** If given, alias and organization must match the machine's, so that a mistyped serial number deletes nothing. */
  alias: text.optional(),
  bedrijf: text.optional(),
  machine_serial: text,
});
export type MachineToDelete = z.output<typeof MachineToDelete>;

const Saved = z.object({ message: z.string(), serialNumber: z.string(), version: z.number().int() });

const MachineEntry = z.object({
  /** The stream's id: never reused. */
  _id: z.number().int(),
  brand: z.string(),
  alias: z.string(),
  model: z.string(),
  serialNumber: z.string(),
  organization: z.string(),
  cleanorg: z.string(),
});

const MachineListEntry = MachineEntry.extend({
  /** Serial number of the logger that reports for the machine; '' for none. */
  loggerId: z.string(),
  /** The machine has a data definition, which another machine can copy. */
  hasDefinition: z.boolean(),
  kenteken: z.string(),
});
export type MachineListEntry = z.output<typeof MachineListEntry>;

const MachineDetails = MachineEntry.extend({
  loggerId: z.string(),
  ...DETAIL_ANSWER_SCHEMAS,
  /** Serial number of the machine whose data definition was copied; '' for none, or for one that was removed. */
  dbc_machine: z.string(),
  /** To be sent back with an edit, so that the edit does not overwrite another user's change. */
  version: z.number().int(),
});
export type MachineDetails = z.output<typeof MachineDetails>;

const DeletedMachine = MachineEntry.extend({
  /** ISO time. */
  deletedAt: z.string(),
  /** ISO time at which the machine's readings are removed. */
  removedAt: z.string(),
  /** Why the machine cannot be restored, in Dutch: another machine has its serial number. */
  obstacle: z.string().optional(),
});
export type DeletedMachine = z.output<typeof DeletedMachine>;

/** Calls about the records of machines (API-01). */
export const machinesApi = {
  'GET /api/machine/create': {
    summary: 'Creates a machine record, the first step of three. Answers 409 when the serial number exists.',
    dutch: 'Maakt een machine: de eerste stap van drie. Een serienummer dat al bestaat geeft 409.',
    needs: 'manage-machines',
    changes: true,
    query: MachineInput,
    response: Saved,
  },
  'GET /api/machine/edit': {
    summary:
      'Changes a machine. With `version`: answers 409 when the machine was changed since. `current_serial` is its present serial number when `machine_serial` is a new one.',
    dutch:
      'Wijzigt een machine. Met version volgt 409 als iemand anders haar intussen wijzigde. current_serial noemt haar als het serienummer verandert.',
    needs: 'manage-machines',
    changes: true,
    query: MachineEdit,
    response: Saved,
  },
  'POST /api/machine/create': {
    summary:
      'As GET /api/machine/create, in a body. With `logger_from` the logger may still report for that machine; writer/move takes it from there.',
    dutch:
      'Als GET /api/machine/create, in een body. Met logger_from is het geen bezwaar dat de logger nu daarvoor meet: writer/move verplaatst hem.',
    needs: 'manage-machines',
    body: MachineBody,
    response: Saved,
  },
  'POST /api/machine/edit': {
    summary: 'As GET /api/machine/edit, in a body.',
    dutch: 'Als GET /api/machine/edit, in een body.',
    needs: 'manage-machines',
    body: MachineEdit,
    response: Saved,
  },
  'DELETE /api/machine/delete': {
    summary:
      'Deletes a machine. Its readings are kept for the grace period; its logger and serial number can be used again at once.',
    dutch:
      'Verwijdert een machine. Haar metingen blijven nog even bewaard; haar logger en serienummer zijn vrij.',
    needs: 'manage-machines',
    proof: true,
    query: MachineToDelete,
  },
  'GET /api/machine/get': {
    summary: 'Returns the accessories of one machine, found by serial number, or by brand and alias.',
    dutch: 'De hulpstukken van één machine, op serienummer of op merk en naam.',
    needs: 'see-machines',
    query: z.object({ merk: text }),
    response: z.object({ hulpstukken: z.array(Accessory) }),
  },
  'GET /api/machine/get/serial': {
    summary: 'Returns one machine, found by its serial number.',
    dutch: 'Eén machine, op serienummer.',
    needs: 'see-machines',
    query: z.object({ serialNumber: text }),
    response: MachineDetails,
  },
  'GET /api/machine/get/all': {
    summary: "Lists the machines of the caller's organization; for an administrator all machines.",
    dutch: 'De eigen machines; voor wie van admin is alle machines.',
    needs: 'see-machines',
    response: z.array(MachineListEntry),
  },
  'GET /api/machine/get/deleted': {
    summary: 'Lists the deleted machines that can still be restored, newest first.',
    dutch: 'Verwijderde machines die nog terug te zetten zijn, de nieuwste eerst.',
    needs: 'manage-machines',
    response: z.array(DeletedMachine),
  },
  'POST /api/machine/restore': {
    summary:
      'Restores a deleted machine, by its `_id`, unless another machine has its serial number. Its logger is bound again unless it reports for something else.',
    dutch:
      'Zet een verwijderde machine terug, op haar _id, tenzij haar serienummer al is vergeven; zonder logger als die intussen ergens anders hoort.',
    needs: 'manage-machines',
    proof: true,
    body: z.object({ _id: z.int32() }),
    response: z.object({ message: z.string(), serialNumber: z.string() }),
  },
} as const satisfies Endpoints;
