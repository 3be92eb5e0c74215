import type { WorkWeekOwner } from '#shared/domain/alerts/work-calendar.ts';

/** Returns the address of the page of the own work week of a label or project (its id) or a machine (its serial number). */
export const ownWeekPath = (organization: string, by: WorkWeekOwner, target: string): string =>
  `/organization/${organization}/werkweek/${by}/${encodeURIComponent(target)}`;
