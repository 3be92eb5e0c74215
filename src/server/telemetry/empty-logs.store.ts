import type { Database } from '#server/platform/database.ts';
import type { EmptyLogs } from '#shared/domain/alerts/portal-state.ts';

/** The finding about a log file without a reading (log-report.ts), as a parameter of SQL's `@>`. */
const NO_READINGS = JSON.stringify([{ kind: 'readings', count: 0 }]);

/**
 * Returns the machines and LMB loggers whose newest log files gave no reading, with the number of consecutive such files among the
 * newest `most` of each logger. For administrators only, because it reads the loggers of every organization.
 */
export async function readEmptyLogs(db: Database, most: number): Promise<EmptyLogs[]> {
  const { rows } = await db.query<EmptyLogs>(
    `select s.serial, l.count, l.since, l.findings from writer w join stream s on s.id = w.stream_id and s.deleted_at is null
     join lateral (
       select count(*)::int as count, extract(epoch from min(f.log_stored_at))::float8 * 1000 as since,
         (array_agg(f.outcome order by f.id desc))[1] as findings
       from (
         select id, log_stored_at, outcome, bool_and(outcome @> $1::jsonb) over (order by id desc) as is_empty from (
           select id, log_stored_at, outcome from object where logger_serial = w.logger_serial and log_stored_at >= w.created_at
           order by id desc limit $2
         ) as newest
       ) as f where f.is_empty
     ) as l on l.count > 0
     where w.valid_to = 'infinity' order by s.serial`,
    [NO_READINGS, most],
  );
  return rows;
}
