import { visiblePositionMultirange } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';

/**
 * Returns the SQL condition under which the caller sees the project of a row `d` of telemetry.day_figures: a person put
 * the machine on it, or the machine was there at a time of that day whose positions the caller may see. Rows of project
 * 0, the whole machine, always meet the condition.
 * @param hours parameter with the value of visibleHoursOfDays
 */
export const dayOnProjectVisibleSql = (
  d: string,
  hours: `$${number}`,
): string => `(${hours}::tstzmultirange is null
  or ${d}.project_id = 0 or exists (
    select from telemetry.presence seen where seen.stream_id = ${d}.stream_id and seen.project_id = ${d}.project_id
      and seen.from_time >= ${d}.day::timestamp at time zone 'Europe/Amsterdam'
      and seen.from_time < (${d}.day + 1)::timestamp at time zone 'Europe/Amsterdam'
      and (seen.by_hand or tstzrange(seen.from_time, seen.to_time) && ${hours}::tstzmultirange)))`;

/**
 * Returns the hours of these days whose positions the scope may see; null for all. Days are 'YYYY-MM-DD', the last one
 * included.
 */
export const visibleHoursOfDays = (
  scope: Scope,
  { firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string },
): string | null =>
  visiblePositionMultirange(scope, {
    from: amsterdamDayRange(firstDay)?.from ?? 0,
    to: amsterdamDayRange(lastDay)?.to ?? 0,
  });
