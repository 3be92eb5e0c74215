import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { devNull } from 'node:os';
import { resolve } from 'node:path';

/** A portal process, as `npm start` runs it, on a free port of this computer. */
export type RunningPortal = {
  readonly process: ChildProcess;
  readonly address: string;
  /** Everything that the process has printed so far. */
  output(): string;
  exited: Promise<number | null>;
  /** Sends the signal and resolves when the process has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

/** Environment variables for portal processes in tests: keeps Node's compile cache, so that each process starts twice as fast. */
export const COMPILE_CACHE_ENVIRONMENT = {
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile'),
} as const;

/** Returns the environment of a portal process with its own data folder, without the variables of the test run. */
export const environmentOf = (dataDir: string, port: number): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...COMPILE_CACHE_ENVIRONMENT,
  DATA_DIR: dataDir,
  PORT: String(port),
});

/** Arguments of `npm start` after `node`. */
const [, ...ARGUMENTS] = JSON.parse(readFileSync('package.json', 'utf8')).scripts.start.split(
  ' ',
) as string[];
/** Arguments of `npm start` with an empty settings file, because a developer may have an .env. */
const START = [...ARGUMENTS, '--env-file', devNull];

/** Range of ports below the system's ephemeral ports. Each test process begins at another port of the range. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];
let lastPort = process.pid * 61;

/** Returns a port that was free a moment ago and that the system does not give out as an ephemeral port. */
export async function findFreePort(): Promise<number> {
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

/**
 * Starts a portal process.
 * @param start the arguments of `node`, if it must run another program than the production process
 */
export function startPortal(
  dataDir: string,
  port: number,
  settings: Record<string, string> = {},
  start: readonly string[] = START,
): RunningPortal {
  const child = spawn(process.execPath, start, {
    // Many tests sign in as an administrator and do not test the second factor.
    env: { ...environmentOf(dataDir, port), REQUIRE_SECOND_FACTOR: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  return {
    process: child,
    address: `http://127.0.0.1:${port}`,
    output: () => printed,
    exited,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** Waits until the portal serves. @throws Error with its output, when it ends or takes longer than 150 s; then it is killed */
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
  portal.process.kill('SIGKILL'); // the caller has no handle to end it
  throw new Error(`The portal did not start serving (exit ${over}):\n${portal.output()}`);
}
