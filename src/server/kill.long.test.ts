import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { readConfig } from './config.ts';
import { type OpenedDatabase, openDatabase } from './open-database.ts';
import { postmasterPid, signalCluster } from './platform/postgres/test/postmaster-pid.ts';
import { openSecrets } from './platform/secrets.ts';
import { countLoss, NO_LOSS } from './test/acknowledged.ts';
import { type Logger, makeLoggers } from './test/loggers.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from './test/running-portal.ts';

const LOGGERS = 4;
const LANES_PER_LOGGER = 4;

let dataDir: string;
let port: number;
let portal: RunningPortal;
let loggers: readonly Logger[];

const join_ = (): Promise<OpenedDatabase> =>
  openDatabase(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }));

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-kill-'));
  port = await findFreePort();
  portal = startPortal(dataDir, port);
  await untilHealthy(portal);
  const database = await join_();
  const secrets = await openSecrets(undefined, dataDir);
  loggers = await makeLoggers(database.pool, secrets, LOGGERS);
  await database.close();
}, 60_000);

afterAll(async () => {
  await portal.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

/** Uploads readings of distinct seconds until `stop` is called; records the acknowledged ones. */
function startLoad(fromSecond: number): { acknowledged: Map<number, number[]>; stop(): Promise<void> } {
  const acknowledged = new Map(loggers.map(({ streamId }) => [streamId, [] as number[]]));
  let stopped = false;
  const lanes = loggers.flatMap((logger) => {
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: logger.accessKey, secretAccessKey: logger.secret },
    });
    let second = fromSecond;
    return Array.from({ length: LANES_PER_LOGGER }, async () => {
      while (!stopped) {
        second += 1;
        const mine = second;
        const Body = JSON.stringify({ GMT_UNIX: mine, Soc1: mine % 100, MotorSpeed: 900 });
        const Key = `K_SN${logger.loggerSerial}/snapshot.json`;
        await client.send(new PutObjectCommand({ Bucket: 'telemetry', Key, Body })).then(
          () => acknowledged.get(logger.streamId)?.push(mine),
          () => new Promise((later) => setTimeout(later, 20)),
        );
      }
    });
  });
  return {
    acknowledged,
    async stop() {
      stopped = true;
      await Promise.all(lanes);
    },
  };
}

const acknowledgedSoFar = (load: { acknowledged: Map<number, number[]> }): number =>
  [...load.acknowledged.values()].reduce((sum, { length }) => sum + length, 0);

const ROUNDS = ['server', 'postmaster', 'both', 'server', 'postmaster', 'both'] as const;

test.each(ROUNDS.map((victim, round) => [victim, round] as const))(
  'acknowledged readings survive kill -9 of the %s (round %i) (INGEST-02)',
  async (victim, round) => {
    const load = startLoad(1_780_000_000 + round * 100_000);
    await expect.poll(() => acknowledgedSoFar(load), { timeout: 20_000 }).toBeGreaterThan(200);

    if (victim !== 'server') process.kill(await postmasterPid(dataDir), 'SIGKILL');
    if (victim !== 'postmaster') {
      await portal.end('SIGKILL');
      portal = startPortal(dataDir, port);
    }
    // The portal recovers without repair, while uploads continue.
    await untilHealthy(portal);
    const before = acknowledgedSoFar(load);
    await expect.poll(() => acknowledgedSoFar(load), { timeout: 30_000 }).toBeGreaterThan(before + 100);
    await load.stop();

    const database = await join_();
    for (const seconds of load.acknowledged.values()) expect(seconds.length).toBeGreaterThan(0);
    expect(await countLoss(database.pool, load.acknowledged)).toEqual(NO_LOSS);
    await database.close();
  },
  90_000,
);

test.skipIf(process.platform !== 'linux')(
  'while the database hangs nothing is acknowledged and health reports it; afterwards everything works again (INGEST-02, API-03)',
  async () => {
    const postmaster = await postmasterPid(dataDir);
    const signal = (name: NodeJS.Signals) => signalCluster(postmaster, name);
    const [logger] = loggers;
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: logger!.accessKey, secretAccessKey: logger!.secret },
    });
    const second = 1_781_000_000;
    const Body = JSON.stringify({ GMT_UNIX: second, Soc1: 1 });
    const Key = `K_SN${logger!.loggerSerial}/snapshot.json`;
    await signal('SIGSTOP');
    let answered: unknown;
    try {
      const upload = client.send(new PutObjectCommand({ Bucket: 'telemetry', Key, Body })).then(
        () => {
          answered = 'acknowledged';
        },
        (error: unknown) => {
          answered = error;
        },
      );
      // The health check caches its last write for 200 ms (health.ts).
      await new Promise((resolve) => setTimeout(resolve, 300));
      const health = await fetch(`${portal.address}/api/health`);
      expect(health.status).toBe(503);
      expect(await health.json()).toEqual({
        code: 'unavailable',
        message: expect.stringMatching(/database/),
      });
      expect(answered).not.toBe('acknowledged');
      await signal('SIGCONT');
      await upload;
    } finally {
      await signal('SIGCONT');
    }
    await untilHealthy(portal);
    const database = await join_();
    const instant = { from: second * 1000, to: second * 1000 + 1 };
    const rows = await storedRows(database.pool, logger!.streamId, [], instant);
    await database.close();
    // The upload ends either acknowledged and stored, or refused, in which case the logger retries it.
    expect(answered === 'acknowledged').toBe(rows.length === 1);
  },
  60_000,
);
