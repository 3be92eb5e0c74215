import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort, startPortal } from './test/running-portal.ts';

/** Code of a module that throws an uncaught error as soon as a handler for such errors is registered. */
const THROWS = `const timer = setInterval(() => {
  if (process.listenerCount('uncaughtException') === 0) return;
  clearInterval(timer);
  throw Object.assign(new Error('kanarie@klant.nl'), { detail: 'Key (email)=(kanarie) exists.' });
}, 1)`;

test('an unexpected error ends the process with exit code 1 and one log line without details of the error', async () => {
  // The server that the portal takes for its database never answers, so the portal is still starting when the error is thrown.
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((listening) => silent.once('listening', listening));
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-unexpected-'));
  await writeFile(join(folder, 'throws.mjs'), THROWS);
  const portal = startPortal(folder, await findFreePort(), {
    DATABASE_URL: `postgresql://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`,
    NODE_OPTIONS: `--import=${join(folder, 'throws.mjs')}`,
  });
  expect(await portal.exited).toBe(1);
  // The first line of the output, which lists the settings, is left out.
  const [, last = '', ...more] = portal.output().trimEnd().split('\n');
  expect(more).toEqual([]);
  expect(JSON.parse(last)).toMatchObject({
    level: 60,
    msg: 'The portal stops after an unexpected error',
    err: { type: 'Error', message: '[e-mail]' },
  });
  expect(portal.output()).not.toContain('kanarie');
  silent.close();
  await rm(folder, { recursive: true, force: true });
}, 60_000);
