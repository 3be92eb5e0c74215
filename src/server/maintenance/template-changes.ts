import type { Caller } from '#server/auth/sessions.ts';
import {
  lockOrganizationForNewRow,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { type AuditChange, audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import { normalizeSerial } from '#server/streams/streams.store.ts';
import { MAX_TASKS, type TaskFields, type TemplatePreview } from '#shared/contract/maintenance-templates.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import { intervalText } from '#shared/domain/maintenance.ts';
import { readHourMeters } from './maintenance.store.ts';
import {
  addTask,
  addTaskPlans,
  addTemplate,
  changeTask,
  findTemplate,
  lockMachines,
  lockTemplate,
  type MachineOfTemplateModel,
  readModelMachines,
  readTasks,
  removeTasks,
  removeTemplate,
  type StoredTask,
  type StoredTemplate,
  setTemporaryTaskNames,
} from './templates.store.ts';

/** Functions that change maintenance templates. Each writes an audit row in the same transaction. */

const MAX_TEMPLATES = 500;

type NewTemplate = {
  readonly organization?: string | undefined;
  readonly brand: string;
  readonly model: string;
  readonly tasks: readonly TaskFields[];
};

/**
 * Creates a template.
 * @throws ProblemError 400 for an unknown organization, or a task with an id; 409 if the organization has a template for that model, or has
 * the maximum number of templates
 */
export const createTemplate = (
  pool: Pool,
  caller: Caller,
  { organization, brand, model, tasks }: NewTemplate,
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    if (tasks.some(({ _id }) => _id !== undefined))
      throw invalidInputError('Een nieuw sjabloon heeft nieuwe taken.');
    await lockOrganizationForNewRow(
      client,
      organizationId,
      'maintenance_template',
      MAX_TEMPLATES,
      'sjablonen',
    );
    const template = { organizationId, brand, model };
    const id = await addTemplate(client, template);
    if (id === undefined) throw new ProblemError('conflict', `Er is al een sjabloon voor ${brand} ${model}.`);
    for (const task of tasks) await addTask(client, id, task);
    await note(client, caller, 'maintenance-template.create', template, {
      after: { tasks: tasks.map(inLog) },
    });
    return id;
  });

/**
 * Changes the tasks of a template. A task without an id is added. A task that is absent is removed from the template, but its plans
 * stay on machines. If a task changes, the plans that follow it change too.
 * @returns the number of changed plans on machines
 * @throws ProblemError 400 for a task of another template; 404 outside the caller's scope
 */
export const editTemplate = (
  pool: Pool,
  caller: Caller,
  { _id, tasks }: { readonly _id: number; readonly tasks: readonly TaskFields[] },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const template = await lockTemplate(client, caller.scope, _id);
    const before = await readTasks(client, template.id);
    const known = new Set(before.map(({ id }) => id));
    const kept = tasks.flatMap(({ _id: id, ...task }) => (id === undefined ? [] : [{ ...task, id }]));
    if (kept.some(({ id }) => !known.has(id)) || new Set(kept.map(({ id }) => id)).size < kept.length)
      throw invalidInputError('Een taak is niet van dit sjabloon. Laad de pagina opnieuw.');
    const keptIds = kept.map(({ id }) => id);
    await removeTasks(
      client,
      [...known].filter((id) => !keptIds.includes(id)),
    );
    await setTemporaryTaskNames(client, keptIds);
    let changed = 0;
    for (const task of kept) changed += await changeTask(client, task);
    for (const task of tasks) if (task._id === undefined) await addTask(client, template.id, task);
    await note(client, caller, 'maintenance-template.edit', template, {
      data: { plans: changed },
      before: { tasks: before.map(inLog) },
      after: { tasks: (await readTasks(client, template.id)).map(inLog) },
    });
    return changed;
  });

/**
 * Deletes a template. Plans that were made from it stay on their machines.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deleteTemplate = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const template = await lockTemplate(client, caller.scope, id);
    const before = { tasks: (await readTasks(client, id)).map(inLog) };
    await removeTemplate(client, id);
    await note(client, caller, 'maintenance-template.delete', template, { before });
  });

/**
 * Returns which machines would get which tasks.
 * @throws ProblemError 404 outside the scope
 */
export async function previewTemplate(db: Database, scope: Scope, id: number): Promise<TemplatePreview> {
  const template = await findTemplate(db, scope, id);
  const tasks = await readTasks(db, template.id);
  const machines = await readModelMachines(db, scope, template);
  const names = (of: readonly StoredTask[]): string[] => of.map(({ planName }) => planName);
  return {
    machines: machines.map((machine) => {
      const { gets, full } = splitTasks(tasks, machine);
      return {
        serial: machine.serial,
        alias: machine.alias,
        gets: names(gets),
        has: names(tasks.filter((task) => machine.has.includes(task.id))),
        full: names(full),
      };
    }),
  };
}

/**
 * Splits the tasks that a machine does not have yet into those that it can get and those that it cannot, because a machine has at
 * most 20 plans.
 */
function splitTasks(tasks: readonly StoredTask[], { has, plans }: MachineOfTemplateModel) {
  const lacking = tasks.filter(({ id }) => !has.includes(id));
  const room = Math.max(0, MAX_TASKS - plans);
  return { gets: lacking.slice(0, room), full: lacking.slice(room) };
}

/**
 * Gives machines of the model the tasks that they lack. The intervals start today and at the present hour meter.
 * @param serials the serial numbers of the only machines that get tasks; undefined: all machines of the model
 * @param now the present time in ms
 * @returns the machines that got tasks, and the number of new plans
 * @throws ProblemError 404 outside the caller's scope, or for a machine that is not of the model
 */
export const applyTemplate = (
  pool: Pool,
  caller: Caller,
  { _id, serials }: { readonly _id: number; readonly serials?: readonly string[] | undefined },
  now: number,
): Promise<{ readonly machines: number; readonly plans: number }> =>
  inTransaction(pool, async (client) => {
    const template = await lockTemplate(client, caller.scope, _id);
    const { organizationId } = template;
    const tasks = await readTasks(client, template.id);
    const seen = await readModelMachines(client, caller.scope, template);
    await lockMachines(
      client,
      seen.map(({ streamId }) => streamId),
    );
    // Machines that were sold while this call waited for the lock do not belong to the organization any more.
    const present = await readModelMachines(client, caller.scope, template);
    const chosen = serials && new Set(serials.map((serial) => normalizeSerial(serial).toLowerCase()));
    const known = new Set(present.map(({ serial }) => serial.toLowerCase()));
    if (chosen && [...chosen].some((serial) => !known.has(serial)))
      throw notFound('Een van deze machines is niet van dit merk en model.');
    const asked = present.filter(({ serial }) => !chosen || chosen.has(serial.toLowerCase()));
    const given = asked
      .map((machine) => ({ machine, gets: splitTasks(tasks, machine).gets }))
      .filter(({ gets }) => gets.length > 0);
    const meters = await readHourMeters(
      client,
      given.map(({ machine }) => machine.streamId),
    );
    const plans = given.flatMap(({ machine: { streamId }, gets }) =>
      gets.map(({ id: taskId }) => ({ streamId, taskId, lastHours: meters.get(streamId) ?? 0 })),
    );
    if (plans.length === 0) return { machines: 0, plans: 0 };
    await addTaskPlans(client, organizationId, plans, amsterdamDay(now));
    const counts = { machines: given.length, plans: plans.length };
    await note(client, caller, 'maintenance-template.apply', template, { data: counts });
    for (const { machine, gets } of given)
      await audit(client, {
        actor: caller.email,
        action: 'maintenance.from-template',
        subject: machine.serial,
        streamId: machine.streamId,
        organizationId,
        data: { tasks: gets.map(inLog) },
      });
    return counts;
  });

/** Returns a task for the log: 'Grote beurt: elke 500 uur of 12 maanden'. */
const inLog = ({ planName, ...task }: Omit<TaskFields, '_id'>): string =>
  `${planName}: ${intervalText(task).replace(/^E/, 'e')}`;

const note = (
  client: Transaction,
  { email: actor }: Caller,
  action: `maintenance-template.${'create' | 'edit' | 'delete' | 'apply'}`,
  { brand, model, organizationId }: Omit<StoredTemplate, 'id'>,
  { data = {}, ...values }: AuditChange & { readonly data?: LogValues },
) => audit(client, { actor, action, subject: `${brand} ${model}`, organizationId, data, ...values });
