import { z } from 'zod';
import { MAINTENANCE_REASONS, MAINTENANCE_STATES } from '#shared/domain/maintenance.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { CalendarDay, singleLineText } from './projects.ts';

const MAX_HOURS = 1_000_000;
const meter = z.number().min(0).max(MAX_HOURS);
const fields = {
  planName: singleLineText(80).min(1, 'ontbreekt'),
  /** Interval in running hours; null: the plan does not depend on the hour meter. */
  everyHours: z.number().min(1).max(100_000).nullable(),
  everyMonths: z.int().min(1).max(240).nullable(),
  /** When the maintenance was last done: hour meter, and day in Amsterdam. */
  lastHours: meter,
  lastDay: CalendarDay,
};
const Fields = z.object(fields);
export type PlanFields = z.output<typeof Fields>;
const isTimed = ({ everyHours, everyMonths }: Pick<PlanFields, 'everyHours' | 'everyMonths'>): boolean =>
  everyHours !== null || everyMonths !== null;
const NOT_TIMED = { path: ['everyHours'], message: 'of maanden: vul minstens een van beide in' };

const DoneMaintenance = z.object({
  doneDay: CalendarDay,
  doneHours: meter,
  doneNote: singleLineText(500).default(''),
});
export type MaintenanceDoneFields = z.output<typeof DoneMaintenance>;

/** Whether a plan that was made from a template still has the template's name and interval, or was changed on the machine. */
const Link = z.enum(['follows', 'changed']);
export type PlanTemplateState = z.output<typeof Link>;

/** When a plan is due, and why (shared/domain/maintenance.ts). */
export const MaintenanceDue = {
  state: z.enum(MAINTENANCE_STATES),
  by: z.enum(MAINTENANCE_REASONS),
  dueHours: z.number().nullable(),
  hoursLeft: z.number().nullable(),
  dueDay: z.string().nullable(),
  daysLeft: z.number().nullable(),
};

const Plan = z.object({
  _id: z.number().int(),
  planName: z.string(),
  everyHours: z.number().nullable(),
  everyMonths: z.number().nullable(),
  lastHours: z.number(),
  lastDay: z.string(),
  ...MaintenanceDue,
  /** null: the plan was not made from a template. */
  ofTemplate: Link.nullable(),
  /** When the maintenance was done, newest first, at most 100 entries. */
  done: z.array(z.object({ doneDay: z.string(), doneHours: z.number(), doneNote: z.string() })),
});
const Maintenance = z.object({
  /** The hour meter, as on the machine's page. */
  hours: z.number(),
  /** In the order in which the plans are due. */
  plans: z.array(Plan),
  /**
   * The template of the machine's model, and the names of its tasks that the machine lacks; absent: there is no
   * template or no such task.
   */
  offer: z.object({ _id: z.number().int(), tasks: z.array(z.string()) }).optional(),
});
export type Maintenance = z.output<typeof Maintenance>;

/** Maintenance plans of a machine, by running hours or months, and the maintenance that was done. */
export const maintenanceApi = {
  'GET /api/maintenance/get': {
    summary: 'Lists the maintenance plans of a machine, when each is due, and the maintenance that was done.',
    dutch: 'Het onderhoud van een machine: wat wanneer moet gebeuren, en wat er is gedaan.',
    needs: 'see-machines',
    query: z.object({ serial: singleLineText(64) }),
    response: Maintenance,
  },
  'POST /api/maintenance/create': {
    summary: 'Creates a maintenance plan for a machine.',
    dutch: 'Voegt onderhoud aan een machine toe.',
    needs: 'manage-maintenance',
    body: z.object({ ...fields, serial: singleLineText(64) }).refine(isTimed, NOT_TIMED),
    response: MessageResponse.extend({ _id: z.number().int() }),
  },
  'POST /api/maintenance/edit': {
    summary: 'Changes a maintenance plan and when it was done last.',
    dutch: 'Wijzigt onderhoud, en wanneer het voor het laatst is gedaan.',
    needs: 'manage-maintenance',
    body: z.object({ ...fields, _id: z.int32() }).refine(isTimed, NOT_TIMED),
  },
  'POST /api/maintenance/done': {
    summary: 'Records that maintenance was done; the next is counted from that day and that hour meter.',
    dutch: 'Noteert dat onderhoud is gedaan: de volgende keer telt vanaf die dag en die urenstand.',
    needs: 'manage-maintenance',
    body: DoneMaintenance.extend({ _id: z.int32() }),
  },
  'POST /api/maintenance/delete': {
    summary: 'Deletes a maintenance plan and its record of maintenance that was done.',
    dutch: 'Verwijdert onderhoud, met wat ervoor is gedaan.',
    needs: 'manage-maintenance',
    body: z.object({ _id: z.int32() }),
  },
} as const satisfies Endpoints;
