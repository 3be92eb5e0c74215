import { z } from 'zod';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { singleLineText } from './projects.ts';

/** Maximum number of tasks of a template, and of plans of a machine. */
export const MAX_TASKS = 20;

/**
 * A task of a template, which is repeated after a number of running hours (`everyHours`), of months (`everyMonths`),
 * or whichever comes first.
 */
const task = {
  planName: singleLineText(80).min(1, 'ontbreekt'),
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
  .max(MAX_TASKS, `zijn er hoogstens ${MAX_TASKS}`)
  .refine(
    (tasks) => new Set(tasks.map(({ planName }) => planName.toLowerCase())).size === tasks.length,
    'hebben twee keer dezelfde naam',
  );

const Template = z.object({
  _id: z.number().int(),
  /** Functional name (as in calls) and display name (as on screens) of the organization. */
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
      /** Number of plans that follow the task, and number of plans that were changed on their machine. */
      follows: z.number().int(),
      changed: z.number().int(),
    }),
  ),
  /** Number of machines of the brand and model, and number of these machines that lack at least one task. */
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
      /**
       * Task names: `gets`, tasks that the machine gets; `has`, tasks that the machine already has; `full`,
       * tasks beyond the maximum number of plans of a machine.
       */
      gets: z.array(z.string()),
      has: z.array(z.string()),
      full: z.array(z.string()),
    }),
  ),
});
export type TemplatePreview = z.output<typeof Preview>;

const OfTemplate = z.object({ _id: z.int32() });

/** Maintenance templates: the tasks that an organization gives its machines of a brand and model. */
export const maintenanceTemplatesApi = {
  'GET /api/maintenance/template/get': {
    summary:
      'Lists the maintenance templates by brand and model: of all organizations for an administrator, of their own for others.',
    dutch: 'De onderhoudssjablonen, met hun taken en hoeveel machines ze hebben.',
    needs: 'see-machines',
    response: z.array(Template),
  },
  'POST /api/maintenance/template/create': {
    summary: 'Creates a maintenance template for a brand and model. An administrator names the organization.',
    dutch: 'Maakt een onderhoudssjabloon voor een merk en model.',
    needs: 'manage-maintenance',
    body: z.object({
      organization: singleLineText(200).optional(),
      brand: singleLineText(80).min(1, 'ontbreekt'),
      model: singleLineText(80).min(1, 'ontbreekt'),
      tasks: Tasks,
    }),
    response: MessageResponse.extend({ _id: z.number().int() }),
  },
  'POST /api/maintenance/template/edit': {
    summary:
      'Changes the tasks of a template and the plans on machines that follow them. A task without `_id` is new; an omitted task is removed from the template and stays on machines.',
    dutch:
      'Wijzigt de taken van een sjabloon. Taken op machines die het sjabloon volgen, wijzigen mee; een taak die wegvalt, blijft op de machines.',
    needs: 'manage-maintenance',
    body: OfTemplate.extend({ tasks: Tasks }),
  },
  'POST /api/maintenance/template/delete': {
    summary: 'Deletes a template. Plans that were made from it stay on their machines.',
    dutch: 'Verwijdert een sjabloon; de taken blijven op de machines.',
    needs: 'manage-maintenance',
    body: OfTemplate,
  },
  'GET /api/maintenance/template/preview': {
    summary: 'Returns which machines would get which tasks of a template.',
    dutch: 'Welke machines welke taken van een sjabloon zouden krijgen.',
    needs: 'see-machines',
    query: z.object({ _id: z.coerce.number().int().min(1).max(2_147_483_647) }),
    response: Preview,
  },
  'POST /api/maintenance/template/apply': {
    summary:
      'Gives machines of the model the tasks that they lack, counted from today and from their hour meter. Safe to repeat.',
    dutch:
      'Geeft machines van het model de taken die zij niet hebben, geteld vanaf vandaag en hun urenstand. Mag worden herhaald.',
    needs: 'manage-maintenance',
    body: OfTemplate.extend({
      /** Serial numbers; default: all machines of the model. */
      serials: z.array(singleLineText(64).min(1, 'ontbreekt')).max(10_000).optional(),
    }),
    /** Number of machines that got tasks, and number of plans that were made. */
    response: MessageResponse.extend({ machines: z.number().int(), plans: z.number().int() }),
  },
} as const satisfies Endpoints;
