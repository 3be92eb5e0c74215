import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type {
  Maintenance,
  MaintenanceDoneFields,
  PlanFields,
  PlanTemplateState,
} from '#shared/contract/maintenance.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { DUTCH_COLLATOR } from '#shared/domain/dutch-collator.ts';
import { dueSortValue, type MaintenanceDue, maintenanceDue } from '#shared/domain/maintenance.ts';
import { readMissingTemplateTasks } from './templates.store.ts';

const MS_PER_HOUR = 3_600_000;
const MAX_DONE_ENTRIES = 100;

export type StoredPlan = PlanFields & {
  readonly id: number;
  readonly streamId: number;
  readonly organizationId: number;
  /**
   * Whether the plan still has the name and interval of its template's task or was changed on the machine; null: it has no
   * template.
   */
  readonly ofTemplate: PlanTemplateState | null;
};
export type DuePlan = StoredPlan & MaintenanceDue;

const COLUMNS = `p.id, p.stream_id, p.organization_id, p.name as plan_name,
  p.every_hours, p.every_months, p.last_hours, p.last_day::text as last_day,
  case when p.template_task_id is not null then case when p.follows_template then 'follows' else 'changed' end end as of_template`;
/** SQL `from` item with the plans `p` that belong to the present owner `w` of their machine. A former owner's plans are left out. */
const OWN = `maintenance_plan p join ownership w on w.stream_id = p.stream_id and w.valid_to = 'infinity'
  and /*rule:maintenance-present-owner*/ w.organization_id = p.organization_id /*=true*/`;

/**
 * Returns, by stream, the maintenance plans of the stream's present owner with their due times, the first due first.
 * @param now the present time in ms
 */
export async function readMaintenance(
  db: Database,
  streamIds: readonly number[],
  now: number,
): Promise<Map<number, DuePlan[]>> {
  const { rows: plans } = await db.query<StoredPlan>(
    `select ${COLUMNS} from ${OWN} where p.stream_id = any ($1)`,
    [streamIds],
  );
  const hours = await readHourMeters(db, [...new Set(plans.map(({ streamId }) => streamId))]);
  const today = amsterdamDay(now);
  const duePlans = plans.map((plan) => {
    const due = maintenanceDue(plan, hours.get(plan.streamId) ?? 0, today);
    return { order: dueSortValue(due), plan: { ...plan, ...due } };
  });
  duePlans.sort(
    (a, b) =>
      a.order - b.order || DUTCH_COLLATOR.compare(a.plan.planName, b.plan.planName) || a.plan.id - b.plan.id,
  );
  return Map.groupBy(
    duePlans.map(({ plan }) => plan),
    ({ streamId }) => streamId,
  );
}

/** Returns the hour meters of machines: 'Urenstand bij aanvang' plus the running hours since. */
export async function readHourMeters(
  db: Database,
  streamIds: readonly number[],
): Promise<Map<number, number>> {
  const [{ rows: machines }, stored] = await Promise.all([
    db.query<{ id: number; hours: number }>(
      'select stream_id as id, initial_hours as hours from machine where stream_id = any ($1)',
      [streamIds],
    ),
    runInShardsOfStreams(db, streamIds, (shard, own) =>
      shard.query<{ id: number; ms: number }>(
        'select stream_id as id, total_running_ms::float8 as ms from telemetry.latest where stream_id = any ($1)',
        [own],
      ),
    ),
  ]);
  const running = new Map(stored.map(({ id, ms }) => [id, ms / MS_PER_HOUR]));
  return new Map(machines.map(({ id, hours }) => [id, hours + (running.get(id) ?? 0)]));
}

/** Returns the plans of one machine, with the maintenance done. */
export async function readMachineMaintenance(
  db: Database,
  streamId: number,
  now: number,
): Promise<Maintenance> {
  const [plans, meters, offer] = await Promise.all([
    readMaintenance(db, [streamId], now),
    readHourMeters(db, [streamId]),
    readMissingTemplateTasks(db, streamId),
  ]);
  const own = plans.get(streamId) ?? [];
  const { rows } = await db.query<MaintenanceDoneFields & { planId: number }>(
    `select plan_id, day::text as done_day, hours as done_hours, note as done_note from maintenance_done
     where plan_id = any ($1) order by day desc, id desc`,
    [own.map(({ id }) => id)],
  );
  const done = Map.groupBy(rows, ({ planId }) => planId);
  return {
    hours: meters.get(streamId) ?? 0,
    ...(offer && { offer }),
    plans: own.map(({ id, streamId: _, organizationId: __, ...plan }) => ({
      ...plan,
      _id: id,
      done: (done.get(id) ?? []).slice(0, MAX_DONE_ENTRIES).map(({ planId: _, ...one }) => one),
    })),
  };
}

/** Returns a plan, locked until the transaction ends; undefined: none in the scope. */
export async function lockPlan(
  db: Database,
  scope: Scope,
  id: number,
): Promise<(StoredPlan & { readonly serial: string }) | undefined> {
  const { rows } = await db.query<StoredPlan & { serial: string }>(
    `select ${COLUMNS}, s.serial from ${OWN} join stream s on s.id = p.stream_id and s.deleted_at is null
     where p.id = $1 and (p.organization_id = any ($2) or $2::integer[] is null) for update of p`,
    [id, organizationsParameter(scope)],
  );
  return rows[0];
}

export async function countPlans(db: Database, streamId: number, organizationId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::integer as n from maintenance_plan where stream_id = $1 and organization_id = $2',
    [streamId, organizationId],
  );
  return rows[0]?.n ?? 0;
}

export async function addPlan(
  db: Database,
  streamId: number,
  organizationId: number,
  plan: PlanFields,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into maintenance_plan (stream_id, organization_id, name, every_hours, every_months, last_hours, last_day)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [streamId, organizationId, ...valuesOf(plan)],
  );
  return rows[0]?.id as number;
}

export const changePlan = (db: Database, id: number, plan: PlanFields) =>
  db.query(
    `update maintenance_plan set name = $2, every_hours = $3, every_months = $4, last_hours = $5, last_day = $6,
       follows_template = follows_template and name = $2 and every_hours is not distinct from $3 and every_months is not distinct from $4
     where id = $1`,
    [id, ...valuesOf(plan)],
  );

const valuesOf = ({ planName, everyHours, everyMonths, lastHours, lastDay }: PlanFields) => [
  planName,
  everyHours,
  everyMonths,
  lastHours,
  lastDay,
];

/** Records maintenance that was done; the next due time is computed from it. */
export const addMaintenanceDone = (
  db: Database,
  id: number,
  { doneDay, doneHours, doneNote }: MaintenanceDoneFields,
) =>
  db.query(
    `with plan as (update maintenance_plan set last_hours = $2, last_day = $3 where id = $1)
     insert into maintenance_done (plan_id, hours, day, note) values ($1, $2, $3, $4)`,
    [id, doneHours, doneDay, doneNote],
  );

export const removePlan = (db: Database, id: number) =>
  db.query('delete from maintenance_plan where id = $1', [id]);
