import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from './history-scope.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * Draaiuren: 'Urenstand bij aanvang' and the running hours of all readings ever stored, also those that retention
 * removed (DESIGN.md section 8; MDET-08). It is the machine's hour meter and goes with the machine: whoever owns it
 * now sees all of it, as on the meter in its cab. It tells nothing of when or where it ran.
 */
export async function operatingHours(db: Database, { streamId }: OwnHistory): Promise<number> {
  const { rows } = await db.query<{ hours: number }>(
    `select coalesce(m.initial_hours, 0) + coalesce(l.total_running_ms, 0)::float8 / ${MS_PER_HOUR} as hours
     from stream s left join machine m on m.stream_id = s.id left join latest l on l.stream_id = s.id where s.id = $1`,
    [streamId],
  );
  return rows[0]?.hours ?? 0;
}
