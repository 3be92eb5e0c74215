import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import type { Connection } from '#server/platform/postgres/connection.ts';
import type { EmbeddedOptions } from '#server/platform/postgres/embedded.ts';
import { processState } from '#server/platform/postgres/process-state.ts';

export { postmasterPid } from './postmaster-pid.ts';

const PROGRAM = path.join(import.meta.dirname, 'start-process.ts');

type Answer =
  | { readonly owner: boolean; readonly connection: Connection }
  | { readonly failed: string; readonly message: string };

type Started = {
  readonly pid: number;
  /** The result of startEmbedded in that process. */
  readonly answer: Promise<Answer>;
  readonly log: string[];
  /** Everything that the process printed except its lines of JSON. */
  noise(): string;
  readonly ended: Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** Runs startEmbedded in a process of its own, with the command prefix `wrap`; killed when the test ends. */
export function startEmbeddedProcess(
  dataDir: string,
  options: Partial<EmbeddedOptions> = {},
  { wrap = [], env = {} }: { wrap?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Started {
  const words = [...wrap, process.execPath, PROGRAM, dataDir, JSON.stringify(options)];
  const [file = '', ...args] = words;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const log: string[] = [];
  let noise = '';
  child.stderr.on('data', (data) => {
    noise += data;
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith('{')) {
        noise += `${line}\n`;
        return;
      }
      const event = JSON.parse(line) as Answer | { log: string };
      if ('log' in event) log.push(event.log);
      else resolve(event);
    });
    child.once('error', reject);
    ended.then(() => reject(new Error(`the process ended without an answer: ${noise}`)));
  });
  answer.catch(() => {});
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(async () => {
    await end('SIGKILL');
    // A process that is killed while it runs the database leaves its socket's folder in the system's temporary folder.
    const given = await answer.catch(() => undefined);
    if (given !== undefined && 'owner' in given && given.connection.host.startsWith('/'))
      await rm(given.connection.host, { recursive: true, force: true });
  });
  return {
    pid: child.pid ?? 0,
    answer,
    log,
    noise: () => noise,
    ended,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Returns the connection of a process that started successfully. */
export async function connectionOf(started: Started): Promise<Connection> {
  const answer = await started.answer;
  if ('failed' in answer) throw new Error(answer.message);
  return answer.connection;
}

/** Returns a folder for the test, which is removed after the test, when every postmaster in it has been stopped. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'werkstroom-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

export async function waitUntilProcessEnds(pid: number): Promise<void> {
  const ended = async () => {
    const state = await processState(pid);
    return state === undefined || state.zombie;
  };
  await vi.waitUntil(ended, { timeout: 10_000, interval: 20 });
}

export async function queryOnce(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
