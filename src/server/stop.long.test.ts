import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { readConfig } from './config.ts';
import { createMachine } from './machines/machines.store.ts';
import { openDatabase } from './open-database.ts';
import { createOrganization } from './organizations/organizations.store.ts';
import { openSecrets } from './platform/secrets.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from './test/running-portal.ts';
import { createKey } from './writers/keys.store.ts';
import { createWriter } from './writers/writers.store.ts';

let dataDir: string;
let portal: RunningPortal;
let port: number;
// All tests share one folder: each start except the first finds the database as the previous test left it.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-stop-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
beforeEach(async () => {
  port = await findFreePort();
  portal = startPortal(dataDir, port);
  await untilHealthy(portal);
});
afterEach(async () => {
  portal.process.kill('SIGKILL');
  await portal.exited;
});

/** Sends the signal and returns how the process ended, and after how many ms. */
async function stopped(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  portal.process.kill(signal);
  const code = await portal.exited;
  return { code, ms: performance.now() - began };
}

const pidFile = () => join(dataDir, 'postgres/postmaster.pid');
const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

/** Opens a connection that the client never closes, and returns what it receives. */
async function rawClient(bytes: string): Promise<{ socket: Socket; got: () => string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    text += piece;
  });
  await new Promise((connected) => socket.once('connect', connected));
  socket.write(bytes);
  await new Promise((later) => setTimeout(later, 300));
  return { socket, got: () => text };
}

const LOGIN_HALF =
  'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"';

describe('SIGTERM ends the server', () => {
  test('SIGTERM ends the server at once while browsers and loggers keep their connections open (INGEST-02)', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const asked = Array.from(
      { length: 10 },
      () =>
        new Promise((done) =>
          get(`${portal.address}/api/health`, { agent }, (answer) => answer.resume().once('end', done)),
        ),
    );
    await Promise.all(asked);
    const { code, ms } = await stopped();
    agent.destroy();
    expect([code, existsSync(pidFile())]).toEqual([0, false]);
    expect(ms).toBeLessThan(4_500);
  });

  test('SIGTERM ends the server within seconds while a body is unfinished and connections are silent (INGEST-02)', async () => {
    await rawClient(LOGIN_HALF);
    await rawClient('GET /api/health HT');
    await rawClient('');
    const { code, ms } = await stopped();
    expect([code, existsSync(pidFile())]).toEqual([0, false]);
    expect(ms).toBeLessThan(9_000);
  });

  test('SIGTERM ends the server while loggers upload, and every acknowledged reading is kept (INGEST-02)', async () => {
    const config = readConfig({ DATA_DIR: dataDir });
    const silent = pino({ level: 'silent' });
    let database = await openDatabase(config, silent);
    const organizationId = await createOrganization(database.pool, {
      name: 'klant',
      clean: 'Klant',
      isLmbCustomer: false,
    });
    const streamId = await createMachine(database.pool, {
      serial: 'S-1',
      alias: 'S',
      organizationId,
      brand: 'b',
      model: 'm',
      macaddress: '',
      batteries: [],
      accessories: [],
      initialHours: 0,
    });
    const writerId = await createWriter(database.pool, {
      streamId,
      loggerSerial: '4000001',
      at: new Date(),
    });
    const key = await createKey(database.pool, await openSecrets(undefined, dataDir), writerId);
    await database.close();

    const client = new S3Client({
      endpoint: portal.address,
      region: 'eu-central-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: key.accessKey, secretAccessKey: key.secret },
    });
    const acknowledged: number[] = [];
    let second = 1_780_000_000;
    let over = false;
    const lanes = Array.from({ length: 8 }, async () => {
      while (!over) {
        second += 1;
        const mine = second;
        const Body = JSON.stringify({ GMT_UNIX: mine, Soc1: 1 });
        const put = new PutObjectCommand({ Bucket: 'telemetry', Key: 'K_SN4000001/snapshot.json', Body });
        await client.send(put).then(
          () => acknowledged.push(mine),
          () => new Promise((later) => setTimeout(later, 20)),
        );
      }
    });
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(100);
    const { code, ms } = await stopped();
    over = true;
    await Promise.all(lanes);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(9_000);

    database = await openDatabase(config, silent);
    const rows = await storedRows(database.pool, streamId, ['time']);
    await database.close();
    const stored = new Set(rows.map(({ time }) => time.getTime() / 1000));
    expect(acknowledged.filter((second) => !stored.has(second))).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'SIGTERM ends the server within 10 s with one line while PostgreSQL hangs, which later ends properly (INGEST-02)',
    async () => {
      const pid = postmaster();
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      const signal = (name: NodeJS.Signals) => {
        for (const one of [String(pid), ...children]) {
          try {
            process.kill(Number(one), name);
          } catch {
            // Process `one`, a backend of PostgreSQL, has ended in the meantime.
          }
        }
      };
      const before = portal.output();
      const log = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8');
      const logged = log().length;
      signal('SIGSTOP');
      try {
        const { code, ms } = await stopped();
        expect(code).toBe(1);
        expect(ms).toBeLessThan(11_500);
        const said = portal.output().slice(before.length).trim().split('\n');
        expect(said.filter((line) => line.includes('did not stop cleanly'))).toHaveLength(1);
      } finally {
        signal('SIGCONT');
      }
      await expect.poll(() => existsSync(pidFile()), { timeout: 20_000 }).toBe(false);
      expect(log().slice(logged)).toContain('database system is shut down');
    },
  );

  test('a second signal ends the server at once, but not a repetition of the first one within 250 ms (INGEST-02)', async () => {
    await rawClient(LOGIN_HALF);
    const began = performance.now();
    portal.process.kill('SIGINT');
    portal.process.kill('SIGINT');
    await new Promise((later) => setTimeout(later, 700));
    portal.process.kill('SIGTERM');
    await new Promise((later) => setTimeout(later, 100));
    expect(portal.process.exitCode).toBeNull();
    portal.process.kill('SIGINT');
    expect(await portal.exited).toBe(1);
    expect(performance.now() - began).toBeLessThan(2_000);
    await expect.poll(() => existsSync(pidFile()), { timeout: 20_000 }).toBe(false);
  });
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a second portal on the folder ends with a sentence when the first has ended (%s) (API-03)',
  async (signal) => {
    const second = startPortal(dataDir, await findFreePort());
    await untilHealthy(second);
    const { pid } = portal.process;
    portal.process.kill(signal);
    await portal.exited;
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`Process ${pid}, which ran the database in ${dataDir}, has stopped`);
  },
);
