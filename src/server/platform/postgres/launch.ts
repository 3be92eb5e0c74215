import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connectProblem, createDatabase } from './connection.ts';
import type { DataFolder } from './data-folder.ts';
import { readPostmasterFile, settleLeftover } from './leftover.ts';
import { type Postmaster, startPostmaster } from './postmaster.ts';
import type { Runner } from './runner.ts';
import { logSince, logSize } from './server-log.ts';
import { clearSocketFolder } from './socket-folder.ts';
import { isPassing, programFailed } from './start-error.ts';

/** A dead postmaster was seen as a zombie for up to 3.7 s; this leaves room (docs/design.md section 6). */
const RETRY_FOR_MS = 15_000;
const RETRY_EVERY_MS = 250;
const LOOK_EVERY_MS = 20;
const SAY_AFTER_MS = 5000;

export type Launch = {
  readonly data: DataFolder;
  readonly runner: Runner;
  readonly settings: readonly string[];
  readonly connection: Connection;
  readonly log: (line: string) => void;
};

/**
 * Starts PostgreSQL and waits until it answers, however long it repairs itself after a crash. What a
 * predecessor left is cleared away first; as long as its last processes linger, it is tried again.
 * @throws DatabaseStartError; when `cancelled`, once PostgreSQL has ended again
 */
export async function launch(how: Launch, cancelled: AbortSignal): Promise<Postmaster> {
  const { data, runner, settings, connection, log } = how;
  const began = Date.now();
  for (;;) {
    await settleLeftover(data.cluster, log);
    if (connection.host.startsWith('/')) await clearSocketFolder(connection.host);
    const from = await logSize(data.log);
    const postmaster = await startPostmaster(data, runner, settings);
    const stop = () => postmaster.signal();
    cancelled.addEventListener('abort', stop);
    try {
      if (cancelled.aborted) stop();
      const ended = await readyOrEnded(postmaster, how);
      if (ended === undefined) {
        await createDatabase(connection);
        return postmaster;
      }
      const printed = (await logSince(data.log, from)) || ended;
      if (!isPassing(printed) || Date.now() - began > RETRY_FOR_MS || cancelled.aborted)
        throw programFailed(printed, data.log);
    } catch (error) {
      await postmaster.stop();
      throw error;
    } finally {
      cancelled.removeEventListener('abort', stop);
    }
    await sleep(RETRY_EVERY_MS);
  }
}

/** undefined: it answers; else how it ended. */
async function readyOrEnded(
  postmaster: Postmaster,
  { data, connection, log }: Launch,
): Promise<string | undefined> {
  const began = Date.now();
  let told = false;
  let ended: string | undefined;
  postmaster.ended.then((how) => {
    ended = how;
  });
  while (ended === undefined) {
    const answers = (await readPostmasterFile(data.cluster))?.ready;
    if (answers && (await connectProblem(connection, 'postgres')) === undefined) return undefined;
    if (!told && Date.now() - began > SAY_AFTER_MS) {
      log('PostgreSQL is still starting: after a crash it repairs its files first.');
      told = true;
    }
    await sleep(LOOK_EVERY_MS);
  }
  return ended;
}
