import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { listProcessesOfFolder } from '#server/test/processes-of.ts';
import { environmentOf, findFreePort } from '#server/test/running-portal.ts';

// No server listens at this address, so that the map is the built-in one.
const NO_TILES = 'http://127.0.0.1:9/{z}/{x}/{y}.png';

/** One run of `npm run demo`, started as a person starts it. */
export type RunningDemo = {
  /** Output to the terminal so far. */
  readonly out: () => string;
  readonly errors: () => string;
  /** Ends the demo with Ctrl-C (SIGINT) or SIGTERM. @returns the exit code */
  readonly stop: (signal?: 'SIGINT' | 'SIGTERM') => Promise<number | null>;
  /** Returns the processes of the demo that still run; Linux only. */
  readonly left: () => string[];
};

/** Makes a folder and finds a port for a demo that can be started repeatedly. */
export async function prepareDemo() {
  const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-demo-'));
  const port = await findFreePort();
  const started: RunningDemo[] = [];
  return {
    address: `http://localhost:${port}`,
    start(): RunningDemo {
      const demo = startDemo(dataDir, port);
      started.push(demo);
      return demo;
    },
    /** Stops all processes of the demo, so that a failed test leaves none. */
    async remove(): Promise<void> {
      await Promise.all(started.map((demo) => demo.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function startDemo(dataDir: string, port: number): RunningDemo {
  const demo = spawn(process.execPath, ['werkstroom.js', 'demo'], {
    env: {
      ...environmentOf(dataDir, port),
      STREET_TILES_URL: NO_TILES,
      SATELLITE_TILES_URL: NO_TILES,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  demo.stdout.on('data', (text) => {
    out += text;
  });
  demo.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = new Promise<number | null>((done) => demo.once('close', done));
  return {
    out: () => out,
    errors: () => errors,
    stop(signal = 'SIGINT') {
      demo.kill(signal);
      return ended;
    },
    left: () => (process.platform === 'linux' ? listProcessesOfFolder(dataDir) : []),
  };
}

/** Collects warnings and errors of a page, each with its source. */
export function collectConsole(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type()))
      said.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => said.push(`${page.url()}: ${error}`));
  return said;
}
