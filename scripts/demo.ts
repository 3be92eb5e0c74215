import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '#server/config.ts';
import { onNpmExit } from '#server/platform/npm.ts';
import { loginLines, portalAddress, requireFreeAddress, seedFleet, waitUntilServing } from './demo-fleet.ts';
import { DemoStartError, prepareDemoFolder } from './demo-folder.ts';

/**
 * Runs `npm run demo`: the portal as in production with its data under data/demo, the simulator, which uploads like real loggers,
 * and a process that fills 30 days of history. `-- --fresh` starts with an empty folder.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));

const FOLDER = resolve(ROOT, 'data/demo');
const environment: NodeJS.ProcessEnv = {
  LOG_LEVEL: 'warn',
  // Requires no second factor, because the demo prints its administrator's password.
  REQUIRE_SECOND_FACTOR: 'none',
  ...process.env,
  DATA_DIR: process.env.DATA_DIR ? resolve(ROOT, process.env.DATA_DIR) : FOLDER,
};
const children: ChildProcess[] = [];

const run = (script: string, ...args: readonly string[]): ChildProcess =>
  runNode([resolve(ROOT, script), ...args]);

function runNode(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...more, ...environment },
    stdio: 'inherit',
  });
  children.push(child);
  return child;
}

/** Starts the portal like `npm start`, with the allocator settings of the systemd unit and the image (docs/decisions/0082-memory.md). */
function runPortal(): ChildProcess {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  const [, ...args] = scripts.start.split(' ') as string[];
  return runNode([...args, '--env-file', devNull], {
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once('exit', () => done()));

/** Builds the pages if they are missing, in a separate process that frees its memory when it ends. */
async function buildWeb(): Promise<void> {
  const building = run('scripts/build.ts', '--if-missing');
  await ended(building);
  children.pop();
  if (building.exitCode !== 0 && !stopping) throw new DemoStartError('The pages could not be built.');
}

/** Set while stopping: the simulator ends first, so that no upload fails. */
let stopping: Promise<never> | undefined;
async function stop(code: number): Promise<never> {
  for (const child of [...children].reverse()) {
    child.kill('SIGTERM');
    await ended(child);
  }
  process.exit(code);
}
const stopOnce = (code: number): void => {
  stopping ??= stop(code);
};

async function main(): Promise<void> {
  if (environment.DATABASE_URL) {
    throw new DemoStartError(
      'DATABASE_URL is set, and the demo would fill that database with examples. Unset it: the demo brings its own.',
    );
  }
  const config = readConfig(environment);
  const portal = portalAddress(config);
  // Checked before the folder is emptied: another demo may be running on this data.
  await requireFreeAddress(portal);
  await prepareDemoFolder(config.DATA_DIR, {
    fresh: process.argv.includes('--fresh'),
    isDefault: config.DATA_DIR === FOLDER,
  });

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopOnce(0));
  onNpmExit(() => stopOnce(0));
  await buildWeb();
  if (stopping) return;
  const server = runPortal();
  server.once('exit', (code) => stopOnce(code ?? 1));
  await waitUntilServing(portal, () => stopping !== undefined);
  if (stopping) return;

  const programs = await seedFleet(environment).catch((error: unknown) => {
    // Ctrl-C also ends the seeding process, which then fails as expected.
    if (stopping) return [];
    throw error;
  });
  // stop() has already ended the child processes; one that is started after it would keep running.
  if (stopping) return;
  for (const { words } of programs) run(words[0] as string, ...words.slice(1));
  console.log(`\n${loginLines(config.PUBLIC_URL).join('\n')}\n`);
  console.log(
    `Ctrl-C stops it; the data stay in ${config.DATA_DIR} (npm run demo -- --fresh starts over).\n`,
  );
}

try {
  await main();
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DemoStartError;
  console.error(known ? error.message : error);
  stopOnce(1);
}
