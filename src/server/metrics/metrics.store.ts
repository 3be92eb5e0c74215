import type { Database } from '#server/platform/database.ts';
import { JOBS_SCHEMA } from '#server/platform/jobs.ts';
import { isCluster, shardCount } from '#server/platform/shards.ts';

type Worker = { readonly worker: string; readonly bytes: number | undefined };

/** Returns the size of the database, and of each worker of a cluster; `bytes` is undefined for a worker that does not answer. */
export async function measureDatabaseSize(
  db: Database,
): Promise<{ readonly bytes: number; readonly workers: readonly Worker[] }> {
  const { rows } = await db.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  const workers = shardCount() > 1 && (await isCluster(db)) ? await readWorkers(db) : [];
  return { bytes: rows[0]?.bytes ?? 0, workers };
}

async function readWorkers(db: Database): Promise<Worker[]> {
  const { rows } = await db.query<{ worker: string; isUp: boolean; result: string }>(
    `select nodename || ':' || nodeport as worker, success as is_up, result
     from run_command_on_workers('select pg_database_size(current_database())')`,
  );
  return rows.map(({ worker, isUp, result }) => ({ worker, bytes: isUp ? Number(result) : undefined }));
}

type JobCount = { readonly queue: string; readonly state: string; readonly count: number };

/**
 * States of jobs that are counted. `completed` is left out, because pg-boss keeps finished jobs for a day, so their number means little.
 */
const JOB_STATES = ['created', 'retry', 'active', 'failed'];

/** Returns the number of jobs, without the queues of pg-boss itself. */
export async function countJobs(db: Database): Promise<JobCount[]> {
  const { rows } = await db.query<JobCount>(
    `select q.name as queue, s.state, count(j.id)::float8 as count
     from ${JOBS_SCHEMA}.queue q cross join unnest($1::text[]) as s (state)
     left join ${JOBS_SCHEMA}.job j on j.name = q.name and j.state::text = s.state
     where left(q.name, 2) <> '__' group by q.name, s.state order by q.name, s.state`,
    [JOB_STATES],
  );
  return rows;
}
