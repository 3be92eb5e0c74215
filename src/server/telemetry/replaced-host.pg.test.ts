import { request } from 'node:http';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatAmzDate, sha256, signNaively } from '#server/s3/test/naive-signer.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';

const PUBLIC = 'portaal.klant.nl';
let fleet: TestFleet;
let administrator: string;
const lines: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  fleet = await TestFleet.open({ PUBLIC_URL: `http://${PUBLIC}` }, log);
  await fleet.portal.user('beheer@portaal.nl', await fleet.portal.organization('admin'));
  administrator = await fleet.portal.login('beheer@portaal.nl');
});
afterAll(() => fleet.close());

/** Uploads a snapshot that is signed for the public Host, through a proxy that passes `host`. */
async function put(logger: FleetLogger, host: string): Promise<number> {
  const path = `/telemetry/WS_SN${logger.loggerSerial}/snapshot.json`;
  const body = JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 50 });
  const { headers } = signNaively({
    method: 'PUT',
    path,
    headers: { host: PUBLIC },
    payloadHash: sha256(body),
    accessKey: logger.accessKey,
    secret: logger.secret,
    timestamp: formatAmzDate(fleet.clock),
  });
  const status = await new Promise<number>((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const options = { method: 'PUT', headers: { ...headers, host, ...length } };
    request(`${fleet.portal.address}${path}`, options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
  });
  fleet.clock += 1_000;
  return status;
}

const hostTask = async () => (await fleet.portal.get('/api/portal/tasks', administrator)).json().host;
const warned = () => lines.filter((line) => line.includes('PUBLIC_URL says'));

test('a proxy that replaces Host is reported to administrators and in the log, until an upload is accepted (55.34)', async () => {
  const logger = await fleet.newLogger();
  const other = await fleet.newLogger();
  expect(await hostTask()).toBe(null);
  expect(await put(logger, 'binnen:3000')).toBe(403);
  expect(await put(other, 'binnen:3000')).toBe(403);
  await expect
    .poll(async () => {
      await fleet.portal.portal.counters.flush();
      return hostTask();
    })
    .toEqual({ received: 'binnen:3000', expected: PUBLIC });
  expect((await fleet.health(logger.writerId)).refusal).toBe(
    `WrongHost binnen:3000: WS_SN${logger.loggerSerial}/snapshot.json`,
  );
  expect(await put(logger, 'binnen:3001')).toBe(403);
  await expect
    .poll(warned)
    .toEqual([
      expect.stringContaining(`Host is binnen:3000, PUBLIC_URL says ${PUBLIC}`),
      expect.stringContaining(`Host is binnen:3001, PUBLIC_URL says ${PUBLIC}`),
    ]);
  // The proxy is repaired, and one logger has uploaded.
  expect(await put(other, PUBLIC)).toBe(200);
  await fleet.portal.portal.counters.flush();
  expect(await hostTask()).toBe(null);
});

test('the task list shows administrators, and nobody else, which settings the portal lacks (55.33)', async () => {
  const tasks = (cookie?: string) => fleet.portal.get('/api/portal/tasks', cookie);
  // On a cluster the portal does not report a missing backup, because the owners of the cluster make backups themselves.
  const lacking = ['mail', 'second-factor', 'https', ...(CITUS_CONNECTION ? [] : ['backup'])];
  expect((await tasks(administrator)).json().settings).toEqual(lacking);
  expect((await tasks(fleet.cookie)).statusCode).toBe(403);
  expect((await tasks()).statusCode).toBe(401);
});
