import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import type { TestDatabase } from '#server/test/database.ts';
import { COMPILE_CACHE_ENVIRONMENT } from '#server/test/running-portal.ts';

const NAME = 'killed';

/** Starts a process on the test's database; it is killed at the end of the test at the latest. */
export function startKillableProcess(
  script: URL,
  { connection }: Pick<TestDatabase, 'connection'>,
  ...args: readonly string[]
): { kill(): Promise<void> } {
  const database = JSON.stringify({ ...connection, application_name: NAME });
  const child = fork(script, [database, ...args], { execArgv: [], env: COMPILE_CACHE_ENVIRONMENT });
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  return { kill };
}

/** Releases the jobs of a killed process, as pg-boss does after five minutes. */
export async function releaseJobsOfKilledProcess({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  // Waits until the process has no connection, because statements that it had sent may still be running.
  const connections = async () =>
    (
      await pool.query(
        'select from pg_stat_activity where application_name = $1 and datname = current_database()',
        [NAME],
      )
    ).rowCount;
  await expect.poll(connections, { timeout: 20_000 }).toBe(0);
  await pool.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);
}
