import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { ConfigError, readConfig } from '#server/config.ts';
import { addMachineFiles } from '#server/demo/machine-files.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { openDatabase } from '#server/open-database.ts';
import { whenNpmGoes } from '#server/platform/npm.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import { demoOrganizations, demoUsers } from '#shared/demo/organizations.ts';
import { buildWebIfMissing } from './build-web.ts';
import { DemoRefusal, prepareDemoFolder } from './demo-folder.ts';
import { announceHistory } from './history-report.ts';

/**
 * `npm run demo`: the portal as in production, with its data under data/demo, the simulator, which uploads over the
 * same upload endpoint as real loggers, and a process that fills 30 days of history. `-- --fresh` starts over.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const STARTS_WITHIN_MS = 60_000;

const FOLDER = resolve(ROOT, 'data/demo');
const environment: NodeJS.ProcessEnv = {
  LOG_LEVEL: 'warn',
  // Its administrator is printed on the screen.
  REQUIRE_SECOND_FACTOR: 'none',
  ...process.env,
  DATA_DIR: process.env.DATA_DIR ? resolve(ROOT, process.env.DATA_DIR) : FOLDER,
};
const children: ChildProcess[] = [];

function run(script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    env: environment,
    stdio: 'inherit',
  });
  children.push(child);
  return child;
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once('exit', () => done()));

/** The simulator first, so that no upload meets a closed upload endpoint. */
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

async function healthy(address: string): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline && !stopping) {
    const answer = await fetch(`${address}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((again) => setTimeout(again, 100));
  }
  if (!stopping)
    throw new DemoRefusal(`The portal did not answer at ${address} within ${STARTS_WITHIN_MS / 1000} s.`);
}

async function main(): Promise<void> {
  if (environment.DATABASE_URL) {
    throw new DemoRefusal(
      'DATABASE_URL is set, and the demo would fill that database with examples. Unset it: the demo brings its own.',
    );
  }
  const config = readConfig(environment);
  const portal = `http://${config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST}:${config.PORT}`;
  // Before anything is removed: another demo may be running on these very data.
  if (await fetch(portal).catch(() => undefined)) {
    throw new DemoRefusal(`Something already answers at ${portal}: stop it, or set PORT to another.`);
  }
  await prepareDemoFolder(config.DATA_DIR, {
    fresh: process.argv.includes('--fresh'),
    isDefault: config.DATA_DIR === FOLDER,
  });
  await buildWebIfMissing();

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopOnce(0));
  whenNpmGoes(() => stopOnce(0));
  const server = run('werkstroom.js', 'start', '--env-file', devNull);
  server.once('exit', (code) => stopOnce(code ?? 1));
  await healthy(portal);
  if (stopping) return;

  const database = await openDatabase(config, pino({ level: 'silent' }));
  const secrets = await openSecrets(config.SECRETS_KEY, config.DATA_DIR);
  const loggers = await seedDemo(database.pool, secrets, configSettings(config), new Date());
  await addMachineFiles(database.pool);
  await announceHistory(database.pool);
  await database.close();
  const keyFile = join(config.DATA_DIR, 'logger-keys.json');
  await writeFile(keyFile, JSON.stringify({ bucket: config.UPLOAD_BUCKET, loggers }), { mode: 0o600 });
  // What is started now would not be stopped.
  if (stopping) return;
  run('src/simulator/main.ts', '--portal', portal, '--keys', keyFile);
  run('scripts/demo-history.ts', '--portal', portal, '--keys', keyFile);

  const width = Math.max(...demoUsers.map(({ email }) => email.length));
  const cleanOf = new Map(demoOrganizations.map(({ name, clean }) => [name, clean]));
  console.log(`\nWerkstroom is open at ${config.PUBLIC_URL}\n`);
  for (const { email, password, organization, role } of demoUsers) {
    console.log(`  ${email.padEnd(width)}  ${password.padEnd(24)}  ${role}, ${cleanOf.get(organization)}`);
  }
  console.log(
    `\nCtrl-C stops it; the data stay in ${config.DATA_DIR} (npm run demo -- --fresh starts over).\n`,
  );
}

try {
  await main();
} catch (error) {
  const known = error instanceof ConfigError || error instanceof DemoRefusal;
  console.error(known ? error.message : error);
  stopOnce(1);
}
