import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { MaintenanceDue } from './maintenance.ts';
import { singleLineText } from './projects.ts';

/** Filters of the maintenance list: tasks that are overdue, tasks that are due soon, or all tasks. */
export const MAINTENANCE_FILTERS = ['due', 'soon', 'all'] as const;
/** Sort orders of the list: by when a task is due, by machine, by task, or by when it was done last, the longest ago first. */
export const MAINTENANCE_SORTS = ['due', 'machine', 'task', 'last'] as const;
export const MAINTENANCE_FORMATS = ['csv', 'xlsx'] as const;

const Question = z.object({
  show: z.enum(MAINTENANCE_FILTERS, { error: 'is due, soon of all' }).default('all'),
  sort: z.enum(MAINTENANCE_SORTS, { error: 'is due, machine, task of last' }).default('due'),
  /** A JSON list of label ids: machines that carry at least one of these labels now; default: all machines. */
  labels: z.string().max(20_000).optional(),
  /** Only the caller's favourites. */
  favourites: z.enum(['true'], { error: 'is true of ontbreekt' }).optional(),
  /** Id of the project on which the machines are now; default: all machines. */
  project: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  /** Words to search for in the name, number, brand or model of a machine, or in the task's name. */
  text: singleLineText(200).optional(),
});
export type MaintenanceQuery = z.output<typeof Question>;

const Item = z.object({
  _id: z.number().int(),
  serial: z.string(),
  alias: z.string(),
  brand: z.string(),
  model: z.string(),
  /** Display name of the machine's organization. */
  cleanorg: z.string(),
  planName: z.string(),
  everyHours: z.number().nullable(),
  everyMonths: z.number().nullable(),
  /** When the task was last done: hour meter, and day in Amsterdam. */
  lastHours: z.number(),
  lastDay: z.string(),
  /** The hour meter now. */
  hours: z.number(),
  ...MaintenanceDue,
  /** Running hours per week in the last four weeks; null: fewer than 14 days are known. */
  hoursPerWeek: z.number().nullable(),
  /** Day on which the task is expected to be due; null: the task is already due, or the day is not known. */
  expectedDay: z.string().nullable(),
});
export type MaintenanceItem = z.output<typeof Item>;

const List = z.object({
  /** The first 500 tasks. */
  items: z.array(Item),
  /** Whether there are more than 500 tasks. */
  isCut: z.boolean(),
  /** Number of tasks in each state, also those that `show` leaves out of `items`. */
  counts: z.object({ due: z.number().int(), soon: z.number().int(), all: z.number().int() }),
});
export type MaintenanceList = z.output<typeof List>;

/** Maintenance of all machines together. */
export const fleetMaintenanceApi = {
  'GET /api/maintenance/list': {
    summary:
      'Lists the maintenance of all machines in order of when it is due: the first 500 tasks, and the number of tasks that are due.',
    dutch:
      'Het onderhoud van alle machines, wat het eerst nodig is eerst: de eerste 500 taken, en hoeveel er nodig of bijna nodig zijn.',
    needs: 'see-machines',
    query: Question,
    response: List,
  },
  'GET /api/maintenance/file': {
    summary: 'Downloads the maintenance of all machines as CSV or XLSX.',
    dutch: 'Hetzelfde, in zijn geheel, als CSV of XLSX.',
    needs: 'make-reports',
    media: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    query: Question.extend({ format: z.enum(MAINTENANCE_FORMATS, { error: 'is csv of xlsx' }) }),
    response: z.unknown(),
  },
} as const satisfies Endpoints;
