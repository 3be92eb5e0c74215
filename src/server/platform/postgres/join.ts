import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPassword } from './cluster.ts';
import { type Connection, connectionTo, connectProblem } from './connection.ts';
import type { DataFolder } from './data-folder.ts';
import { readPostmasterFile } from './leftover.ts';
import { type Owner, ownerLives } from './owner-lock.ts';
import { DatabaseStartError } from './start-error.ts';

/** First start and repair after a crash included. */
const GIVE_UP_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 50;

/**
 * The connection to the database that another process of ours runs, or is just starting, in this folder.
 * @returns undefined when that process let go or died: then the folder can be owned
 * @throws DatabaseStartError when it never answers
 */
export async function joinDatabase(data: DataFolder, owner: Owner): Promise<Connection | undefined> {
  const began = Date.now();
  let problem: Error | undefined;
  while (await ownerLives(data.path, owner)) {
    const connection = await runningConnection(data);
    if (connection !== undefined) {
      problem = await connectProblem(connection, connection.database);
      if (problem === undefined) return connection;
    }
    if (Date.now() - began > GIVE_UP_AFTER_MS)
      throw new DatabaseStartError(
        `Process ${owner.pid} runs the database in ${data.path}, but it does not answer` +
          `${problem === undefined ? '' : ` (${problem.message})`}. See ${path.basename(data.log)} there, or stop that process.`,
      );
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

async function runningConnection(data: DataFolder): Promise<Connection | undefined> {
  const running = await readPostmasterFile(data.cluster);
  if (!running?.ready) return undefined;
  if (running.socketFolder !== '') return connectionTo(running.socketFolder, running.port);
  return connectionTo('127.0.0.1', running.port, await readPassword(data.password));
}
