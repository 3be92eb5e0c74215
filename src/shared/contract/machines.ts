import { z } from 'zod';
import { LOGGER_KINDS } from '#shared/domain/identifiers.ts';
import type { Endpoint } from './endpoint.ts';
import { Accessory, SENT_DETAILS, TOLD_DETAILS } from './machine-fields.ts';

/** A number in a query or body; '' and rubbish are refused in words by the server. */
const text = z.string().max(200);

/** What create and edit share (API-01; the last ones: docs/design.md section 4). */
const MachineInput = z.object({
  brand: text,
  model: text,
  alias: text,
  /** Functional name of the organization. */
  bedrijf: text,
  /** Its display name: accepted and ignored, the server knows it. */
  cleanorg: text.optional(),
  machine_serial: text,
  influx_serial: text.optional(),
  /** Which number `influx_serial` is: of a ReXgen, unless it says otherwise. */
  logger_kind: z.enum(LOGGER_KINDS).optional(),
  /** Serial number of the reference machine, its own serial number, or empty. */
  dbc_machine: text.optional(),
  ...SENT_DETAILS,
});
export type MachineInput = z.output<typeof MachineInput>;

const MachineEdit = MachineInput.extend({
  /** What the page was made from: refused when it was changed since. */
  version: text.optional(),
  /** Names the machine when its serial number is to change. */
  current_serial: text.optional(),
});
export type MachineEdit = z.output<typeof MachineEdit>;

/** As the portal's own page sends them, in a body: a machine's accessories do not fit into every address. */
const MachineBody = MachineInput.extend({ logger_from: text.optional() });
/** `logger_from`: serial number or loggerid of what the logger reports for until writer/move; 409 when it is elsewhere. */
export type WithMove<Input> = Input & { readonly logger_from?: string | undefined };

const MachineToDelete = z.object({
  /** These must be its own, when given: a slip of the finger deletes nothing. */
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
  /** Serial number of the logger that reports for it; '' for none. */
  loggerId: z.string(),
  /** Another machine's logger can get a copy of its data definition. */
  hasDefinition: z.boolean(),
  kenteken: z.string(),
});
export type MachineListEntry = z.output<typeof MachineListEntry>;

const MachineDetails = MachineEntry.extend({
  loggerId: z.string(),
  ...TOLD_DETAILS,
  /** Serial number of the machine whose data definition was copied; '' for none or one that is gone. */
  dbc_machine: z.string(),
  /** Send it back with an edit: who saved in the meantime is not overwritten. */
  version: z.number().int(),
});
export type MachineDetails = z.output<typeof MachineDetails>;

const DeletedMachine = MachineEntry.extend({
  /** ISO time. */
  deletedAt: z.string(),
  /** ISO time: its readings are removed then. */
  removedAt: z.string(),
  /** Why it cannot be restored, in Dutch: its serial number has been taken. */
  obstacle: z.string().optional(),
});
export type DeletedMachine = z.output<typeof DeletedMachine>;

/** API-01, Machines: the records. */
export const machinesApi = {
  'GET /api/machine/create': {
    summary:
      'Creates a machine record, the first step of three. An existing serial number is refused with 409.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    query: MachineInput,
    response: Saved,
  },
  'GET /api/machine/edit': {
    summary:
      'Changes a machine. With `version`, 409 when it was changed since; `current_serial` names it when its serial number changes.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    query: MachineEdit,
    response: Saved,
  },
  'POST /api/machine/create': {
    summary:
      'As GET /api/machine/create, in a body. With `logger_from` a logger that reports for that is no obstacle: writer/move takes it from there.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: MachineBody,
    response: Saved,
  },
  'POST /api/machine/edit': {
    summary: 'As GET /api/machine/edit, in a body.',
    access: 'session',
    needs: 'manage-machines',
    changes: true,
    body: MachineEdit,
    response: Saved,
  },
  'DELETE /api/machine/delete': {
    summary:
      'Deletes a machine; its readings are kept for the grace period, its logger and serial number are free.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    query: MachineToDelete,
    response: z.object({ message: z.string() }),
  },
  'GET /api/machine/get': {
    summary: 'The accessories of one machine, given by its serial number, or by brand and alias.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    query: z.object({ merk: text }),
    response: z.object({ hulpstukken: z.array(Accessory) }),
  },
  'GET /api/machine/get/serial': {
    summary: 'One machine by its serial number.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    query: z.object({ serialNumber: text }),
    response: MachineDetails,
  },
  'GET /api/machine/get/all': {
    summary: "The caller's machines; an administrator's are all.",
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: z.array(MachineListEntry),
  },
  'GET /api/machine/get/deleted': {
    summary: 'Machines that were deleted and can still be restored, newest first.',
    access: 'session',
    needs: 'manage-machines',
    changes: false,
    response: z.array(DeletedMachine),
  },
  'POST /api/machine/restore': {
    summary:
      'Takes back the deletion of a machine, by its _id, unless its serial number has been taken; without its logger when that reports for something else.',
    access: 'session',
    needs: 'manage-machines',
    proof: true,
    changes: true,
    body: z.object({ _id: z.int32() }),
    response: z.object({ message: z.string(), serialNumber: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
