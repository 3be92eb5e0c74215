import type { Database } from '#server/platform/database.ts';
import { readWorkWeeks } from '#server/work-weeks/work-weeks.store.ts';
import { isWorkTime, USUAL_WEEK, type WorkWeek } from '#shared/domain/alerts/work-week.ts';

export type IsWorkTime = (ms: number) => boolean;

const MINUTE_MS = 60_000;
const MOST = 10_000;

/** Of each of these organizations, whether a time is one of work. */
export async function readWorkTimes(
  db: Database,
  organizations: readonly number[],
): Promise<(organizationId: number) => IsWorkTime> {
  const weeks = await readWorkWeeks(db, organizations);
  const times = new Map([...weeks].map(([id, week]) => [id, byMinutes(week)]));
  return (organizationId) => times.get(organizationId) ?? byMinutes(USUAL_WEEK);
}

/** Asked of many readings of the same minutes. */
function byMinutes(week: WorkWeek): IsWorkTime {
  const known = new Map<number, boolean>();
  return (ms) => {
    const minute = Math.floor(ms / MINUTE_MS);
    let is = known.get(minute);
    if (is === undefined) {
      if (known.size > MOST) known.clear();
      is = isWorkTime(week, minute * MINUTE_MS);
      known.set(minute, is);
    }
    return is;
  };
}
