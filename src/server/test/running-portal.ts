import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import { resolve } from 'node:path';

/** The real process, as `npm start` runs it, on a free port of this machine. */
export type RunningPortal = {
  readonly process: ChildProcess;
  readonly address: string;
  /** All that it has said so far. */
  output(): string;
  exited: Promise<number | null>;
  /** kill -9, or a polite stop; resolves when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

/** For the environment of our processes: what Node compiled once is kept here, so that each starts twice as fast. */
export const COMPILED = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile') } as const;

/** Of a process that serves from a folder of its own, with nothing of who runs the tests. */
export const environmentOf = (dataDir: string, port: number): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...COMPILED,
  DATA_DIR: dataDir,
  PORT: String(port),
});

/** The words of `npm start`, after `node`. */
const [, ...WORDS] = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.split(' ') as string[];
/** The words of `npm start` with an empty settings file: a developer may have an .env. */
const START = [...WORDS, '--env-file', devNull];

/** Below the ports that systems give out by themselves, from a place of this process. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];
let lastPort = process.pid * 61;

/** A port that was free a moment ago, and that nobody is given who asks for just any. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastPort += 1;
    const port = FIRST_PORT + (lastPort % PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}

/** @param start what `node` runs instead of the production process */
export function startPortal(
  dataDir: string,
  port: number,
  settings: Record<string, string> = {},
  start: readonly string[] = START,
): RunningPortal {
  const child = spawn(process.execPath, start, {
    // Administrators sign in in many tests that are about something else.
    env: { ...environmentOf(dataDir, port), REQUIRE_SECOND_FACTOR: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  return {
    process: child,
    address: `http://127.0.0.1:${port}`,
    output: () => said,
    exited,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** Waits until it serves. @throws what it said, when it ends instead or takes longer than 150 s; then it is killed */
export async function untilHealthy(portal: RunningPortal): Promise<void> {
  let over: number | null | undefined;
  void portal.exited.then((code) => {
    over = code ?? -1;
  });
  const deadline = performance.now() + 150_000;
  while (performance.now() < deadline && over === undefined) {
    const answer = await fetch(`${portal.address}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((again) => setTimeout(again, 50));
  }
  portal.process.kill('SIGKILL'); // who called this has nothing to end it by
  throw new Error(`The portal does not serve (exit ${over}):\n${portal.output()}`);
}
