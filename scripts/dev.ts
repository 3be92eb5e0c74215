import { type ChildProcess, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '#server/config.ts';
import { startOrJoinDatabase } from '#server/open-database.ts';
import { onNpmExit } from '#server/platform/npm.ts';
import { DatabaseStartError } from '#server/platform/postgres/start-error.ts';
import { readSettings } from '#server/settings.ts';
import { loginLines, portalAddress, requireFreeAddress, seedFleet, waitUntilServing } from './demo-fleet.ts';
import { DemoStartError, prepareDemoFolder } from './demo-folder.ts';
import { formatLogLine, isProxyError } from './dev-log.ts';
import { type RestartedProgram, restartOnChanges } from './restarted-program.ts';

/**
 * `npm run dev`: the server, restarted when its source changes, and Vite's dev server. `-- --demo` adds the simulated
 * fleet with thirty days of history, in a data folder of its own; `-- --demo --fresh` starts that folder over.
 *
 * The embedded PostgreSQL runs in this process, so that it and its data outlive the server's restarts.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = resolve(ROOT, 'data/dev');
const WEB_PORT = process.env.WEB_PORT ?? '5173';
const INSPECT_PORT = process.env.INSPECT_PORT ?? '9229';
const WEB = `http://localhost:${WEB_PORT}`;

/** Paths whose changes restart the server; they hold its SQL too. */
const WATCHED = ['src/server', 'src/shared', 'migrations'];

const isDemo = process.argv.includes('--demo');
const isFresh = process.argv.includes('--fresh');

const children: ChildProcess[] = [];
let server: RestartedProgram | undefined;
let endDatabase: () => Promise<void> = async () => {};
let stopping: Promise<never> | undefined;

/** Prefixes each line with the name of the program that printed it. */
const print = (name: string, text: string): void => {
  for (const line of text.split('\n')) console.log(`${name.padEnd(6)} | ${line}`);
};

function spawned(name: string, words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      if (!isProxyError(line)) print(name, formatLogLine(line));
    });
  return child;
}

function run(name: string, words: readonly string[]): ChildProcess {
  const child = spawned(name, words);
  child.once('exit', (code) => {
    if (code !== 0 && !stopping) print(name, `stopped (${code ?? 'by a signal'})`);
  });
  children.push(child);
  return child;
}

function runServer(): ChildProcess {
  const child = spawned('server', [
    `--inspect=127.0.0.1:${INSPECT_PORT}`,
    ...['werkstroom.js', 'start', '--env-file', devNull],
  ]);
  child.once('exit', (code) => {
    if (code !== 0 && !stopping)
      print('server', `stopped (${code ?? 'by a signal'}); it starts again after a change`);
  });
  return child;
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once('exit', () => done()));

/** Ends the fleet before the server, and the database last. */
async function stop(code: number): Promise<never> {
  for (const child of [...children].reverse()) {
    child.kill('SIGTERM');
    await ended(child);
  }
  server?.stop('SIGTERM');
  await server?.ended;
  await endDatabase();
  process.exit(code);
}
function stopOnce(code: number): void {
  stopping ??= stop(code);
}

/** Stops the programs; on a second Ctrl-C it kills them instead of waiting. */
function stopOrKill(): void {
  if (stopping) {
    for (const child of children) child.kill('SIGKILL');
    server?.stop('SIGKILL');
  }
  stopOnce(0);
}

/** Reads the settings into the environment of the programs. */
function settle() {
  process.env.REQUIRE_SECOND_FACTOR ??= 'none';
  process.env.PUBLIC_URL ??= WEB;
  // Compiled modules are kept, so that the server starts twice as fast.
  process.env.NODE_COMPILE_CACHE ??= resolve(ROOT, 'node_modules/.cache/node-compile');
  if (!isDemo) return readSettings([]).config;
  if (process.env.DATABASE_URL)
    throw new DemoStartError(
      'DATABASE_URL is set, and --demo would fill that database with examples. Unset it, or leave --demo out.',
    );
  process.env.DATA_DIR = process.env.DATA_DIR ? resolve(ROOT, process.env.DATA_DIR) : FOLDER;
  return readConfig(process.env);
}

async function main(): Promise<void> {
  const config = settle();
  const portal = portalAddress(config);
  await requireFreeAddress(portal);
  if (isDemo)
    await prepareDemoFolder(config.DATA_DIR, { fresh: isFresh, isDefault: config.DATA_DIR === FOLDER });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stopOrKill);
  onNpmExit(() => stopOnce(0));

  const database = await startOrJoinDatabase(config, (line) => print('dev', line));
  endDatabase = database.stop;
  server = restartOnChanges(runServer, WATCHED, (file) =>
    print('dev', `${file} changed; the server starts again`),
  );
  run('web', [
    'node_modules/vite/bin/vite.js',
    ...['--port', WEB_PORT, '--strictPort', '--clearScreen', 'false'],
  ]).once('exit', (code) => stopOnce(code ?? 1));
  await waitUntilServing(portal, () => stopping !== undefined);
  const seeded = isDemo && !stopping ? seedFleet(process.env) : Promise.resolve([]);
  const programs = await seeded.catch((error: unknown) => {
    // Ctrl-C also ends the seeding process, which then fails as expected.
    if (stopping) return [];
    throw error;
  });
  if (stopping) return;
  for (const { name, words } of programs) run(name, words);
  const lines = isDemo ? loginLines(WEB) : [`Werkstroom is open at ${WEB}`];
  const rest = `Debugger: 127.0.0.1:${INSPECT_PORT}. Data: ${config.DATA_DIR}. Ctrl-C stops everything.`;
  print('dev', ['', ...lines, '', rest, ''].join('\n'));
}

try {
  await main();
} catch (error) {
  const known = [ConfigError, DemoStartError, DatabaseStartError].some((kind) => error instanceof kind);
  console.error(known ? (error as Error).message : error);
  stopOnce(1);
}
