import { createHash } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { findShards } from '#server/platform/shards.ts';
import { SCHEMA } from '#server/schema.ts';
import { addSubscription } from '#server/subscriptions/subscriptions.store.ts';
import { PASSWORD, type TestLogger, type TestPortal, testPortal } from '#server/test/portal.ts';
import type { KeyPair } from '#server/writers/keys.store.ts';

export const SECRETS_KEY = '11'.repeat(32);
const DAY = 24 * 3_600_000;

/** A portal with rows of every kind that a backup must keep; `quiet` has a history, `busy` uploads continuously. */
export type BackupTestFleet = {
  readonly portal: TestPortal;
  readonly organizationId: number;
  readonly quiet: TestLogger;
  readonly busy: TestLogger;
};

export async function createBackupTestFleet(): Promise<BackupTestFleet> {
  // No mail server listens on this port, so the mail stays in the queue.
  const portal = await testPortal({ SMTP_URL: 'smtp://127.0.0.1:9' });
  const { pool } = portal;
  const klant = await portal.organization('klant');
  await portal.organization('spoor', { isLmbCustomer: true });
  await portal.user('a@klant.nl', klant);
  const quietStream = await portal.machine(klant, {
    serial: 'Q-1',
    alias: 'Stille é',
    batteries: [{ capacity: 64 }],
  });
  const busyStream = await portal.machine(klant, { serial: 'B-1' });
  const definition = {
    buses: [{ bus: 0, bitrate: 500_000, name: 'a.dbc', dbc: 'VERSION ""' }],
    mapping: { signals: [], keep: [] },
  };
  const quiet = await portal.logger(quietStream, '7000001', definition);
  const busy = await portal.logger(busyStream, '7000002');
  await storeTestReadings(pool, quietStream, drive());
  await pool.query(`update stream set next_definition_id = (select max(id) from definition) where id = $1`, [
    quietStream,
  ]);
  await pool.query(
    `insert into machine_file (stream_id, kind, name, content_type, size, hash, body)
     values ($1, 'photo', 'foto.webp', 'image/webp', 70000, 'x', $2)`,
    [quietStream, Buffer.alloc(70_000, '\0\x01"\\\n')],
  );
  const { rows } = await pool.query<{ id: number }>(`select id from account where email = 'a@klant.nl'`);
  await inTransaction(pool, (client) => addSubscription(client, quietStream, rows[0]?.id ?? 0));
  await inTransaction(pool, (client) =>
    portal.portal.mail.queue(client, {
      to: 'a@klant.nl',
      subject: 'Wacht op verzending',
      text: 'Hallo',
      html: '<p>Hallo</p>',
    }),
  );
  await uploadSnapshot(portal.address, quiet, {
    GMT_UNIX: Math.floor(Date.now() / 1000) - 60,
    Soc1: 71,
    MotorSpeed: 900,
    Ander: 1.5,
  });
  return { portal, organizationId: klant, quiet, busy };
}

/** Readings of two days three weeks apart, in two weekly partitions, and of a day 1,000 days ago, in the default partition. */
const drive = () =>
  [1_000 * DAY, 22 * DAY, DAY].flatMap((ago) =>
    Array.from({ length: 300 }, (_, n) => ({
      time: Math.floor((Date.now() - ago) / 1000) * 1000 + n * 10_000,
      signals: {
        LATITUDE: 52 + n / 10_000,
        LONGITUDE: 5,
        MotorSpeed: 900,
        BatteryCurrent: n % 2 ? 60 : -20,
        Soc1: 80.1,
      },
    })),
  );

/** Uploads one snapshot. */
export async function uploadSnapshot(
  endpoint: string,
  logger: KeyPair & { loggerSerial: string },
  signals: Record<string, number>,
): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: logger.accessKey, secretAccessKey: logger.secret },
  });
  const Key = `WS_SN${logger.loggerSerial}/snapshot.json`;
  await client.send(new PutObjectCommand({ Bucket: 'telemetry', Key, Body: JSON.stringify(signals) }));
  client.destroy();
}

/** Uploads readings of this logger for consecutive seconds of a past day, until it is stopped. */
export function uploadUntilStopped(
  endpoint: string,
  logger: KeyPair & { loggerSerial: string },
): { stop(): Promise<number> } {
  let stopped = false;
  let acknowledged = 0;
  const lane = (async () => {
    const begin = Math.floor(Date.now() / 1000) - 40_000;
    while (!stopped) {
      await uploadSnapshot(endpoint, logger, {
        GMT_UNIX: begin + acknowledged,
        Soc1: acknowledged % 100,
        MotorSpeed: 900,
      });
      acknowledged += 1;
    }
  })();
  return {
    async stop() {
      stopped = true;
      await lane;
      return acknowledged;
    },
  };
}

const QUESTIONS = [
  '/api/influx/gps/Q-1?start=-30d',
  '/api/influx/driverhours/Q-1',
  '/api/influx/workpower/Q-1?start=-30d&window=300m',
  '/api/influx/powerback/Q-1?start=-30d',
];

/** Returns the answers about the machine Q-1, which readings of other machines do not change. */
export async function fetchMachineResponses(address: string, cookie: string): Promise<unknown[]> {
  const get = (path: string) =>
    fetch(address + path, { headers: { cookie } }).then((answer) => answer.json());
  const live = (await get('/api/live')) as Record<string, unknown>;
  return [live['Q-1'], ...(await Promise.all(QUESTIONS.map(get)))];
}

export async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@klant.nl', password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  return String(answer.headers.get('set-cookie')).split(';', 1)[0] as string;
}

/** Returns a digest of each table, independent of the order of its rows. @param leftOut tables that are not in a backup */
export async function tableDigests(pool: Pool, leftOut: readonly string[]): Promise<Record<string, string>> {
  const shards = await findShards(pool);
  const { rows: tables } = await pool.query<{ name: string }>(
    `select distinct c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    [['public', ...shards]],
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    if (leftOut.includes(name)) continue;
    const schemas = SCHEMA.spread.includes(name) ? shards : ['public'];
    const all: string[] = [];
    for (const schema of schemas) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${schema}.${name} t`);
      for (const { row } of rows) all.push(row);
    }
    contents[name] = `${all.length} ${createHash('md5').update(all.sort().join('|')).digest('hex')}`;
  }
  return contents;
}
