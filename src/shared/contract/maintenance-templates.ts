import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { line } from './projects.ts';

/** As many as a machine has plans. */
export const MOST_TASKS = 20;

/** A task of a template: running hours from one time to the next, months, or both. */
const task = {
  planName: line(80).min(1, 'ontbreekt'),
  everyHours: z.number().min(1).max(100_000).nullable(),
  everyMonths: z.int().min(1).max(240).nullable(),
};
const Task = z
  .object({ ...task, _id: z.int32().optional() })
  .refine(({ everyHours, everyMonths }) => everyHours !== null || everyMonths !== null, {
    path: ['everyHours'],
    message: 'of maanden: vul minstens een van beide in',
  });
export type TaskFields = z.output<typeof Task>;
const Tasks = z
  .array(Task)
  .min(1, 'ontbreken')
  .max(MOST_TASKS, `zijn er hoogstens ${MOST_TASKS}`)
  .refine(
    (tasks) => new Set(tasks.map(({ planName }) => planName.toLowerCase())).size === tasks.length,
    'hebben twee keer dezelfde naam',
  );

const Template = z.object({
  _id: z.number().int(),
  /** Functional and display name of whose it is. */
  organization: z.string(),
  cleanorg: z.string(),
  brand: z.string(),
  model: z.string(),
  tasks: z.array(
    z.object({
      _id: z.number().int(),
      planName: z.string(),
      everyHours: z.number().nullable(),
      everyMonths: z.number().nullable(),
      /** Plans on machines that follow it, and that were changed on their machine. */
      follows: z.number().int(),
      changed: z.number().int(),
    }),
  ),
  /** Machines of the brand and model, and those that lack one of the tasks. */
  machines: z.number().int(),
  lacking: z.number().int(),
});
export type MaintenanceTemplate = z.output<typeof Template>;

const Preview = z.object({
  /** All machines of the brand and model, by name. */
  machines: z.array(
    z.object({
      serial: z.string(),
      alias: z.string(),
      /** Names of the tasks that it gets; of those that it has already, which stay as they are; of those that do not fit any more. */
      gets: z.array(z.string()),
      has: z.array(z.string()),
      full: z.array(z.string()),
    }),
  ),
});
export type TemplatePreview = z.output<typeof Preview>;

const OfTemplate = z.object({ _id: z.int32() });
const Said = z.object({ message: z.string() });

/** Maintenance tasks of a brand and model, which an organization gives its machines of that model. */
export const maintenanceTemplatesApi = {
  'GET /api/maintenance/template/get': {
    summary:
      'The maintenance templates of all organizations for an administrator, of their own for others, by brand and model.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: z.array(Template),
  },
  'POST /api/maintenance/template/create': {
    summary:
      'Makes a maintenance template for a brand and model; an administrator says for which organization.',
    access: 'session',
    needs: 'manage-maintenance',
    changes: true,
    body: z.object({
      organization: line(200).optional(),
      brand: line(80).min(1, 'ontbreekt'),
      model: line(80).min(1, 'ontbreekt'),
      tasks: Tasks,
    }),
    response: Said.extend({ _id: z.number().int() }),
  },
  'POST /api/maintenance/template/edit': {
    summary:
      'Changes the tasks of a template, and with them the plans on machines that follow them; a task without `_id` is new, one that is left out is removed from the template and stays on machines.',
    access: 'session',
    needs: 'manage-maintenance',
    changes: true,
    body: OfTemplate.extend({ tasks: Tasks }),
    response: Said,
  },
  'POST /api/maintenance/template/delete': {
    summary: 'Deletes a template; plans that were made from it stay on their machines.',
    access: 'session',
    needs: 'manage-maintenance',
    changes: true,
    body: OfTemplate,
    response: Said,
  },
  'GET /api/maintenance/template/preview': {
    summary: 'Which machines would get which tasks of a template.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    query: z.object({ _id: z.coerce.number().int().min(1).max(2_147_483_647) }),
    response: Preview,
  },
  'POST /api/maintenance/template/apply': {
    summary:
      'Gives machines of the model the tasks that they lack, counted from today and their hour meter. Safe to repeat.',
    access: 'session',
    needs: 'manage-maintenance',
    changes: true,
    body: OfTemplate.extend({
      /** Serial numbers; left out: all machines of the model. */
      serials: z.array(line(64).min(1, 'ontbreekt')).max(10_000).optional(),
    }),
    /** Machines that got tasks, and how many. */
    response: Said.extend({ machines: z.number().int(), plans: z.number().int() }),
  },
} as const satisfies Record<string, Endpoint>;
