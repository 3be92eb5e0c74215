import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, findConnectError } from './connection.ts';
import type { DataFolder } from './data-folder.ts';
import { cleanUpLeftoverPostmaster, readPostmasterFile } from './leftover.ts';
import { logFileBytes, type Postmaster, readLogSince, startPostmaster } from './postmaster.ts';
import type { PostgresRunner } from './runner.ts';
import { clearSocketFolder, type ListenSettings } from './settings.ts';
import { isTransientStartError, programFailedError } from './start-error.ts';

/**
 * Time during which the start is retried. A dead postmaster remained a zombie for up to 3.7 s (docs/design.md section 6), so this is long
 * enough.
 */
const RETRY_FOR_MS = 15_000;
const RETRY_EVERY_MS = 250;
const LOOK_EVERY_MS = 20;
const SAY_AFTER_MS = 5000;

export type LaunchOptions = ListenSettings & {
  readonly data: DataFolder;
  readonly runner: PostgresRunner;
  readonly log: (line: string) => void;
};

/**
 * Starts PostgreSQL and waits until it responds, however long its recovery after a crash takes. First cleans up after a previous
 * server, and retries while that server's last processes remain.
 * @throws DatabaseStartError; when `cancelled`, once PostgreSQL has ended
 */
export async function launchPostgres(how: LaunchOptions, cancelled: AbortSignal): Promise<Postmaster> {
  const { data, runner, settings, connection, log } = how;
  const began = Date.now();
  for (;;) {
    await cleanUpLeftoverPostmaster(data.cluster, log);
    if (connection.host.startsWith('/')) await clearSocketFolder(connection.host);
    const from = await logFileBytes(data.log);
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
      const printed = (await readLogSince(data.log, from)) || ended;
      if (!isTransientStartError(printed) || Date.now() - began > RETRY_FOR_MS || cancelled.aborted)
        throw programFailedError(printed, data.log);
    } catch (error) {
      await postmaster.stop();
      throw error;
    } finally {
      cancelled.removeEventListener('abort', stop);
    }
    await sleep(RETRY_EVERY_MS);
  }
}

/** Returns undefined when the server responds, otherwise how it ended. */
async function readyOrEnded(
  postmaster: Postmaster,
  { data, connection, log }: LaunchOptions,
): Promise<string | undefined> {
  const began = Date.now();
  let wasLogged = false;
  let ended: string | undefined;
  postmaster.ended.then((how) => {
    ended = how;
  });
  while (ended === undefined) {
    const answers = (await readPostmasterFile(data.cluster))?.ready;
    if (answers && (await findConnectError(connection, 'postgres')) === undefined) return undefined;
    if (!wasLogged && Date.now() - began > SAY_AFTER_MS) {
      log('PostgreSQL is still starting: after a crash it repairs its files first.');
      wasLogged = true;
    }
    await sleep(LOOK_EVERY_MS);
  }
  return ended;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/** A server that ran for this long did not fail at its start, so the next pause is short again. */
const STEADY_MS = 60_000;

/**
 * Keeps PostgreSQL running: restarts it when it ends unexpectedly, after a pause that doubles while it keeps failing.
 * @param first the server that runs now
 * @param start the function that starts the next server; it rejects when that server does not respond or the start is cancelled
 * @returns the function `stop`, which ends the server for good; all calls wait for the same end
 */
export function supervisePostgres(
  first: Postmaster,
  start: (cancelled: AbortSignal) => Promise<Postmaster>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current: Postmaster | undefined = first;
  const atExit = () => current?.signal();
  // If setpriv is missing, only this handler stops the server when this process ends without a call of stop().
  process.on('exit', atExit);
  first.unref();

  const watching = (async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (current !== undefined) {
      const since = Date.now();
      const how = await current.ended;
      current = undefined;
      if (Date.now() - since > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      if (!stopping.signal.aborted) log(`PostgreSQL ended by itself (${how}); starting it again.`);
      while (current === undefined && !stopping.signal.aborted) {
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
        if (stopping.signal.aborted) break;
        try {
          current = await start(stopping.signal);
          current.unref();
          log('PostgreSQL answers again.');
        } catch (error) {
          if (!stopping.signal.aborted) log(error instanceof Error ? error.message : String(error));
        }
      }
      if (stopping.signal.aborted) await current?.stop();
    }
  })();

  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= (async () => {
        stopping.abort();
        await current?.stop();
        await watching;
        process.off('exit', atExit);
      })();
      return stopped;
    },
  };
}
