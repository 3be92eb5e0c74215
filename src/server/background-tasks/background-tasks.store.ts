import type { Database } from '#server/platform/database.ts';
import type { BackgroundTask } from '#shared/contract/background-tasks.ts';

/** A working process reports at least this often; a task that is silent for longer belongs to a process that died. */
const SILENT_AFTER_S = 60;

/** Returns the tasks under way, by name. */
export async function readTasks(db: Database): Promise<BackgroundTask[]> {
  const { rows } = await db.query<BackgroundTask>(
    `select name, done from background_task where updated_at > now() - make_interval(secs => $1) order by name`,
    [SILENT_AFTER_S],
  );
  return rows;
}

export async function reportBackgroundTask(db: Database, { name, done }: BackgroundTask): Promise<void> {
  await db.query(
    `insert into background_task (name, done) values ($1, $2)
     on conflict (name) do update set done = excluded.done, updated_at = now()`,
    [name, Math.min(1, Math.max(0, done))],
  );
}

export async function endBackgroundTask(db: Database, name: string): Promise<void> {
  await db.query('delete from background_task where name = $1', [name]);
}
