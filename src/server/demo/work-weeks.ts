import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { storeWorkWeek } from '#server/work-weeks/work-weeks.store.ts';
import type { WorkWeekFields } from '#shared/contract/work-weeks.ts';
import { demoWorkWeeks } from '#shared/demo/work-weeks.ts';
import type { WorkWeek } from '#shared/domain/alerts/work-week.ts';

/** Adds work weeks to the demo's organizations; skips an organization that already has a work week. */
export async function addDemoWorkWeeks(client: Transaction): Promise<void> {
  for (const [name, week] of Object.entries(demoWorkWeeks)) {
    const organizationId = (await findOrganization(client, name)) as number;
    const { rowCount } = await client.query('select from work_week where organization_id = $1', [
      organizationId,
    ]);
    if (rowCount === 0) await storeWorkWeek(client, organizationId, workWeekFieldsOf(week));
  }
}

/** Returns the stored form of a week. */
export const workWeekFieldsOf = (week: WorkWeek): WorkWeekFields => ({
  ...week,
  workDays: [...week.workDays],
  ownHolidays: [...week.ownHolidays],
});
