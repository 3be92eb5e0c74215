import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { MaintenanceTemplate, TaskFields } from '#shared/contract/maintenance-templates.ts';
import type { Scope } from '#shared/domain/access.ts';

/** A template: its organization, brand and model. */
export type StoredTemplate = {
  readonly id: number;
  readonly organizationId: number;
  readonly brand: string;
  readonly model: string;
};
export type StoredTask = Omit<TaskFields, '_id'> & { readonly id: number };

/** SQL condition: machine `m` of stream `s` is of the brand and model of template `t`, and of its organization. */
const OF_MODEL = `s.organization_id = t.organization_id and lower(m.brand) = lower(t.brand) and lower(m.model) = lower(t.model)`;
/** SQL condition: a plan of stream `s` is task `k` of template `t`, by name or by link. */
const IS_TASK = `p.stream_id = s.id and p.organization_id = t.organization_id
  and (p.template_task_id = k.id or lower(p.name) = lower(k.name))`;
// SQL for the machines of a scope, with $1 and $2 of visibleStreamsParameters().
const machinesIn = (scope: Scope): string =>
  `${visibleStreamsSql(scope)} join machine m on m.stream_id = s.id`;

const tasksIn = (
  scope: Scope,
): string => `coalesce((select json_agg(json_build_object('_id', k.id, 'planName', k.name, 'everyHours', k.every_hours,
  'everyMonths', k.every_months, 'follows', (
    select count(*)::int from maintenance_plan p join ${visibleStreamsSql(scope)} on s.id = p.stream_id and s.organization_id = p.organization_id
    where p.template_task_id = k.id and p.follows_template
  ), 'changed', (
    select count(*)::int from maintenance_plan p join ${visibleStreamsSql(scope)} on s.id = p.stream_id and s.organization_id = p.organization_id
    where p.template_task_id = k.id and not p.follows_template
  )) order by k.place) from maintenance_template_task k where k.template_id = t.id), '[]')`;

/** Returns the templates of a scope, by brand and model. */
export async function listTemplates(db: Database, scope: Scope): Promise<MaintenanceTemplate[]> {
  const { rows } = await db.query<MaintenanceTemplate>(
    `select t.id as "_id", o.name as organization, o.clean as cleanorg, t.brand, t.model, ${tasksIn(scope)} as tasks,
       (select count(*)::int from ${machinesIn(scope)} where ${OF_MODEL}) as machines,
       (select count(*)::int from ${machinesIn(scope)} where ${OF_MODEL} and exists (
          select from maintenance_template_task k where k.template_id = t.id
            and not exists (select from maintenance_plan p where ${IS_TASK}))) as lacking
     from maintenance_template t join organization o on o.id = t.organization_id
     where $2::integer[] is null or t.organization_id = any ($2)
     order by lower(t.brand), lower(t.model), lower(o.clean), t.id`,
    visibleStreamsParameters(scope, ['machine']),
  );
  return rows;
}

const FIND = `select t.id, t.organization_id, t.brand, t.model from maintenance_template t
  where t.id = $1 and ($2::integer[] is null or t.organization_id = any ($2))`;

/**
 * Returns a template.
 * @throws ProblemError 404 for an unknown template, or a template outside the scope
 */
export async function findTemplate(db: Database, scope: Scope, id: number): Promise<StoredTemplate> {
  const { rows } = await db.query<StoredTemplate>(FIND, [id, organizationsParameter(scope)]);
  if (!rows[0]) throw notFound('Dit sjabloon bestaat niet.');
  return rows[0];
}

/**
 * Locks a template against other changes until the transaction ends.
 * @throws ProblemError 404 for an unknown template, or a template outside the scope
 */
export async function lockTemplate(db: Transaction, scope: Scope, id: number): Promise<StoredTemplate> {
  const { rows } = await db.query<StoredTemplate>(`${FIND} for update`, [id, organizationsParameter(scope)]);
  if (!rows[0]) throw notFound('Dit sjabloon bestaat niet.');
  return rows[0];
}

/**
 * Adds a template. Names of models are compared regardless of letter case.
 * @returns its id; undefined if the organization has a template for that model
 */
export async function addTemplate(
  db: Database,
  { organizationId, brand, model }: Omit<StoredTemplate, 'id'>,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `insert into maintenance_template (organization_id, brand, model) values ($1, $2, $3)
     on conflict (organization_id, lower(brand), lower(model)) do nothing returning id`,
    [organizationId, brand, model],
  );
  return rows[0]?.id;
}

export const removeTemplate = (db: Database, id: number) =>
  db.query('delete from maintenance_template where id = $1', [id]);

export async function readTasks(db: Database, templateId: number): Promise<StoredTask[]> {
  const { rows } = await db.query<StoredTask>(
    `select id, name as plan_name, every_hours, every_months
     from maintenance_template_task where template_id = $1 order by place`,
    [templateId],
  );
  return rows;
}

export const addTask = (
  db: Database,
  templateId: number,
  { planName, everyHours, everyMonths }: Omit<TaskFields, '_id'>,
) =>
  db.query(
    'insert into maintenance_template_task (template_id, name, every_hours, every_months) values ($1, $2, $3, $4)',
    [templateId, planName, everyHours, everyMonths],
  );

/** Removes tasks from a template. Plans that were made from these tasks stay on their machines. */
export const removeTasks = (db: Database, ids: readonly number[]) =>
  db.query('delete from maintenance_template_task where id = any ($1)', [ids]);

/** Gives tasks temporary unique names, so that names can be exchanged. */
export const setTemporaryTaskNames = (db: Database, ids: readonly number[]) =>
  db.query(`update maintenance_template_task set name = E'\\x01' || id where id = any ($1)`, [ids]);

/**
 * Changes a task of a template, and the machines' plans that follow this task.
 * @returns the number of changed plans
 */
export async function changeTask(
  db: Database,
  { id, planName, everyHours, everyMonths }: StoredTask,
): Promise<number> {
  const values = [id, planName, everyHours, everyMonths];
  await db.query(
    'update maintenance_template_task set name = $2, every_hours = $3, every_months = $4 where id = $1',
    values,
  );
  const { rowCount } = await db.query(
    `update maintenance_plan set name = $2, every_hours = $3, every_months = $4
     where template_task_id = $1 and follows_template
       and (name <> $2 or every_hours is distinct from $3 or every_months is distinct from $4)`,
    values,
  );
  return rowCount ?? 0;
}

/** A machine of a template's model. `plans`: number of its plans; `has`: ids of the tasks that it has, by template or by name. */
export type MachineOfTemplateModel = {
  readonly streamId: number;
  readonly serial: string;
  readonly alias: string;
  readonly plans: number;
  readonly has: readonly number[];
};

/** Returns the machines of a scope that are of a template's brand and model, sorted by name. */
export async function readModelMachines(
  db: Database,
  scope: Scope,
  { id }: Pick<StoredTemplate, 'id'>,
): Promise<MachineOfTemplateModel[]> {
  const { rows } = await db.query<MachineOfTemplateModel>(
    `select s.id as stream_id, s.serial, s.alias,
       (select count(*)::int from maintenance_plan p where p.stream_id = s.id and p.organization_id = t.organization_id) as plans,
       array(select k.id from maintenance_template_task k where k.template_id = t.id
         and exists (select from maintenance_plan p where ${IS_TASK})) as has
     from maintenance_template t, ${machinesIn(scope)} where t.id = $3 and ${OF_MODEL}
     order by lower(s.alias), s.serial`,
    [...visibleStreamsParameters(scope, ['machine']), id],
  );
  return rows;
}

/** Returns the template of a machine's model in its owner's organization, and the template's tasks that the machine does not have. */
export async function readMissingTemplateTasks(
  db: Database,
  streamId: number,
): Promise<{ readonly _id: number; readonly tasks: string[] } | undefined> {
  const { rows } = await db.query<{ _id: number; tasks: string[] }>(
    `select t.id as "_id", array_agg(k.name order by k.place) as tasks
     from (select w.stream_id as id, w.organization_id from ownership w where w.stream_id = $1 and w.valid_to = 'infinity') as s
       join machine m on m.stream_id = s.id join maintenance_template t on ${OF_MODEL}
       join maintenance_template_task k on k.template_id = t.id
     where not exists (select from maintenance_plan p where ${IS_TASK})
     group by t.id`,
    [streamId],
  );
  return rows[0];
}

/** Locks machines against a move to another organization until the transaction ends. */
export const lockMachines = (db: Transaction, streamIds: readonly number[]) =>
  db.query('select from stream where id = any ($1) order by id for no key update', [streamIds]);

/** A plan that follows a task. Its interval starts on a given day, when the hour meter reads `lastHours`. */
export type TaskPlan = {
  readonly streamId: number;
  readonly taskId: number;
  readonly lastHours: number;
};

/**
 * Adds plans of tasks to machines.
 * @param day the first day of the plans' intervals, 'YYYY-MM-DD'
 */
export const addTaskPlans = (db: Database, organizationId: number, plans: readonly TaskPlan[], day: string) =>
  db.query(
    `insert into maintenance_plan (stream_id, organization_id, name, every_hours, every_months, last_hours, last_day,
       template_task_id, follows_template)
     select n.stream_id, $1, k.name, k.every_hours, k.every_months, n.last_hours, $5::date, k.id, true
     from unnest($2::integer[], $3::integer[], $4::float8[]) with ordinality as n (stream_id, task_id, last_hours, at)
       join maintenance_template_task k on k.id = n.task_id order by n.at`,
    [
      organizationId,
      plans.map(({ streamId }) => streamId),
      plans.map(({ taskId }) => taskId),
      plans.map(({ lastHours }) => lastHours),
      day,
    ],
  );
