import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listProcessesOfFolder } from './test/processes-of.ts';
import { environmentOf, findFreePort } from './test/running-portal.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-npm-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

// Ends processes that a failed test left running.
afterEach(() => {
  for (const found of listProcessesOfFolder(dataDir)) process.kill(Number.parseInt(found, 10), 'SIGKILL');
});

/** Runs `npm start`, but without its prestart script, which builds the pages, and resolves once the portal answers. */
async function npmStart() {
  const port = await findFreePort();
  const npm = spawn('npm', ['start', '--ignore-scripts'], {
    env: environmentOf(dataDir, port),
    stdio: 'ignore',
  });
  const asked = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(asked, { timeout: 150_000 }).toBe(true);
  return npm;
}

test.skipIf(process.platform !== 'linux').each([
  'SIGTERM',
  // npm does not forward SIGHUP, so the portal must notice in another way that npm ended.
  'SIGHUP',
] as const)(
  '%s to npm ends all processes that it started, and shuts PostgreSQL down properly (12.C8)',
  async (signal) => {
    const npm = await npmStart();
    // The processes are npm, the portal, PostgreSQL and some child processes of PostgreSQL.
    expect(listProcessesOfFolder(dataDir).length).toBeGreaterThan(4);
    npm.kill(signal);
    await expect.poll(() => listProcessesOfFolder(dataDir), { timeout: 30_000 }).toEqual([]);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8').trimEnd()).toMatch(
      /database system is shut down$/,
    );
  },
);
