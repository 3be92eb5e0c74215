import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listProcessesOfFolder } from '#server/test/processes-of.ts';
import { COMPILE_CACHE_ENVIRONMENT, findFreePort } from '#server/test/running-portal.ts';
import { OFFLINE_MACHINE } from '#shared/demo/fleet.ts';
import { demoUsers } from '#shared/demo/organizations.ts';

/** Folders that are not copied: the tests run `npm run dev -- --demo` in a copy of the working tree, and change files of the copy. */
const LEFT_OUT = new Set(['.git', '.tsbuild', 'node_modules', 'data', 'dist']);
const STARTS_WITHIN = { timeout: 150_000 };

let folder: string;
let dev: ChildProcess;
let output = '';
let ports: readonly [portal: number, web: number, inspect: number];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-dev-'));
  await cp('.', folder, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(relative('.', path).split('/', 1)[0] ?? ''),
  });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  const [PORT, WEB_PORT, INSPECT_PORT] = ports.map(String) as [string, string, string];
  dev = spawn(process.execPath, ['werkstroom.js', 'dev', '--demo'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...COMPILE_CACHE_ENVIRONMENT,
      PORT,
      WEB_PORT,
      INSPECT_PORT,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await vi.waitFor(() => expect(output).toContain('Ctrl-C stops everything'), STARTS_WITHIN);
});
async function stop(): Promise<void> {
  if (dev.exitCode !== null) return;
  const ended = new Promise((done) => dev.once('close', done));
  dev.kill('SIGTERM');
  await ended;
}
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const web = (path: string) => fetch(`http://localhost:${ports[1]}${path}`);

async function signIn(): Promise<number> {
  const { email, password } = demoUsers[0] as (typeof demoUsers)[0];
  const answer = await fetch(`http://localhost:${ports[1]}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return answer.status;
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

test('npm run dev -- --demo prints the login of every user, and a user can sign in through the front end', async () => {
  for (const { email, password } of demoUsers)
    expect(output).toMatch(new RegExp(`\\| {3}${email} +${password} `));
  expect(await signIn()).toBe(200);
});

test('npm run dev prints the log as readable lines', () => {
  expect(output).toMatch(/^server \| \d\d:\d\d:\d\d info {2}Werkstroom is open at http:\/\/localhost/m);
});

test('npm run dev -- --demo starts simulated loggers that deliver readings, and a debugger that answers', async () => {
  await expect.poll(() => output, STARTS_WITHIN).toContain('simulated loggers deliver');
  const debuggers = await fetch(`http://127.0.0.1:${ports[2]}/json/list`);
  expect(await debuggers.json()).toHaveLength(1);
});

test.each([
  ['the psql of this computer, if it has one', process.env.PATH ?? ''],
  ['its own prompt', '/nowhere'],
])('npm run psql reads the same database with %s', (_, PATH) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['werkstroom.js', 'psql', `select serial from stream where serial = '${OFFLINE_MACHINE.serialNumber}'`],
    { cwd: folder, env: { PATH, HOME: process.env.HOME }, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(OFFLINE_MACHINE.serialNumber);
});

test('a changed server file restarts the server, which keeps its data', async () => {
  await edit('src/server/version.ts', 'export', `process.stdout.write('changed by the test\\n');\nexport`);
  await expect.poll(() => output, STARTS_WITHIN).toContain('changed by the test');
  await expect.poll(() => signIn().catch(() => 0), STARTS_WITHIN).toBe(200);
});

test('a changed screen is served without a restart', async () => {
  const page = '/src/web/features/power-back/power-back-page.tsx';
  expect(await (await web(page)).text()).toContain('Teruggeleverde energie');
  const starts = output.split('the server starts again').length;
  await edit(page, 'title="Teruggeleverde energie"', 'title="Gewijzigd"');
  await expect.poll(async () => (await web(page)).text(), STARTS_WITHIN).toContain('Gewijzigd');
  await expect.poll(() => output).toMatch(/hmr update .*power-back-page\.tsx/);
  expect(output.split('the server starts again')).toHaveLength(starts);
});

test.skipIf(process.platform !== 'linux')('no process is left when dev has stopped', async () => {
  await stop();
  expect(dev.exitCode).toBe(0);
  expect(listProcessesOfFolder(folder)).toEqual([]);
});
