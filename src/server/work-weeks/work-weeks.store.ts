import type { Caller } from '#server/auth/sessions.ts';
import {
  findOrganizationInScope,
  lockExistingOrganization,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import type { WorkWeekFields } from '#shared/contract/work-weeks.ts';
import type { Scope } from '#shared/domain/access.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { DEFAULT_NIGHT_HOURS, type NightHours, nightHoursBefore } from '#shared/domain/periods.ts';

/** Returns the work weeks of these organizations; the default work week if an organization has set none. */
export async function readWorkWeeks(
  db: Database,
  organizationIds: readonly number[],
): Promise<Map<number, WorkWeekFields>> {
  const { rows } = await db.query<{ id: number; week: WorkWeekFields }>(
    'select organization_id as id, week from work_week where organization_id = any ($1)',
    [organizationIds],
  );
  const decided = new Map(rows.map(({ id, week }) => [id, week]));
  return new Map(organizationIds.map((id) => [id, decided.get(id) ?? usual()]));
}

/**
 * Returns the work week of an organization.
 * @throws ProblemError 404 outside the scope
 */
export async function readWorkWeek(db: Database, scope: Scope, name: string): Promise<WorkWeekFields> {
  const { id } = await findOrganizationInScope(db, scope, name);
  return weekOf(db, id);
}

/**
 * Returns the hours of an organization's last night: from the end of work before today to the start of work today (nightHoursBefore()).
 * @param now the present time in ms
 */
export async function readLastNightHours(
  db: Database,
  organizationId: number,
  now: number,
): Promise<NightHours> {
  const { rows } = await db.query<{ week: WorkWeekFields }>(
    'select week from work_week where organization_id = $1',
    [organizationId],
  );
  return rows[0] ? nightHoursBefore(rows[0].week, amsterdamDay(now)) : DEFAULT_NIGHT_HOURS;
}

/** Stores the work week of an organization, in place of the one stored before. */
export async function storeWorkWeek(
  db: Database,
  organizationId: number,
  week: WorkWeekFields,
): Promise<void> {
  await db.query(
    `insert into work_week (organization_id, week) values ($1, $2)
     on conflict (organization_id) do update set week = excluded.week`,
    [organizationId, JSON.stringify(week)],
  );
}

/**
 * Sets the work week of an organization.
 * @throws ProblemError 404 outside the caller's scope
 */
export const setWorkWeek = (
  pool: Pool,
  caller: Caller,
  name: string,
  week: WorkWeekFields,
): Promise<WorkWeekFields> =>
  inTransaction(pool, async (client) => {
    const { id } = await findOrganizationInScope(client, caller.scope, name);
    await lockExistingOrganization(client, id);
    const before = await weekOf(client, id);
    await storeWorkWeek(client, id, week);
    await audit(client, {
      actor: caller.email,
      action: 'organization.work-week',
      subject: name,
      organizationId: id,
      data: {},
      before,
      after: week,
    });
    return week;
  });

const weekOf = async (db: Database, organizationId: number): Promise<WorkWeekFields> =>
  (await readWorkWeeks(db, [organizationId])).get(organizationId) ?? usual();

const usual = (): WorkWeekFields => ({
  ...DEFAULT_WORK_WEEK,
  workDays: [...DEFAULT_WORK_WEEK.workDays],
  ownHolidays: [],
});
