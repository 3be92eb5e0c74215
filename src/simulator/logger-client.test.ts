import { createServer, Agent as HttpAgent, type IncomingHttpHeaders, type Server } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import { demoLoggers, silentSince } from './demo-loggers.ts';
import { type LoggerClient, type LoggerClientOptions, snapshotBody, startLogger } from './logger-client.ts';
import { outageLog } from './outage-log.ts';

vi.setConfig({ testTimeout: 30_000 }); // two busy cores

type Upload = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

const clients: LoggerClient[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts an HTTP server, in place of the portal, that answers every PUT with a settable status. */
async function storage(port = 0) {
  const uploads: Upload[] = [];
  const answer = { status: 200 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (answer.status === 200) uploads.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(answer.status).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { uploads, answer, server, port: (server.address() as AddressInfo).port };
}

function start(port: number, overrides: Partial<LoggerClientOptions> = {}) {
  const lines: string[] = [];
  const { loggerSerial } = demoMachines[0]!;
  const client = startLogger({
    portal: `http://127.0.0.1:${port}`,
    bucket: 'telemetry',
    loggerSerial,
    accessKey: 'DEMOKEY',
    secret: 'demo-secret',
    configGuid: '3f1c2a7e-6b0d-4e0c-9d55-0f7a2b1c9e10',
    signalsAt: demoLoggers().get(loggerSerial)!.signalsAt,
    outages: outageLog((line) => lines.push(line), Date.now),
    agents: { httpAgent: new HttpAgent({ keepAlive: true }), httpsAgent: new HttpsAgent() },
    now: Date.now,
    snapshotEveryMs: 20,
    statusEveryMs: 60_000,
    ...overrides,
  });
  clients.push(client);
  return lines;
}

const times = (uploads: readonly Upload[]): number[] =>
  uploads.filter(({ path }) => path.includes('Snapshot')).map(({ body }) => JSON.parse(body).GMT_UNIX);

test('a snapshot is a flat object of numbers with its time in seconds', () => {
  const signalsAt = demoLoggers().get('0012345')!.signalsAt;
  const snapshot = JSON.parse(snapshotBody(signalsAt, 1_763_460_000_789));
  expect(snapshot.GMT_UNIX).toBe(1_763_460_000);
  expect(snapshot.RTC_UNIX).toBe(1_763_460_000);
  for (const value of Object.values(snapshot)) expect(value).toSatisfy(Number.isFinite);
  expect(snapshot).toMatchObject(signalsAt(1_763_460_000_000));
});

test('a logger signs its uploads with its own key, into its own folder', async () => {
  const { uploads, port } = await storage();
  start(port);
  await vi.waitUntil(() => uploads.length >= 4, { timeout: 10_000 });
  const paths = new Set(uploads.map(({ path }) => path.split('?')[0]));
  expect([...paths].sort()).toEqual([
    '/telemetry/WS_SN0012345/J1939Snapshot.json',
    '/telemetry/WS_SN0012345/Status.json',
  ]);
  expect(uploads[0]!.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=DEMOKEY\//);
  const status = uploads.filter(({ path }) => path.includes('Status'));
  expect(status).toHaveLength(1);
  expect(JSON.parse(status[0]!.body)).toMatchObject({
    serial_number: '0012345',
    config_GUID: '3f1c2a7e-6b0d-4e0c-9d55-0f7a2b1c9e10',
  });
});

test('readings from an outage of the portal are delivered in order afterwards', async () => {
  const first = await storage();
  let clock = 1_763_460_000_000;
  const lines = start(first.port, {
    now: () => {
      clock += 5_000;
      return clock;
    },
  });
  await vi.waitUntil(() => times(first.uploads).length >= 2, { timeout: 10_000 });
  first.server.closeAllConnections();
  first.server.close();
  await vi.waitUntil(() => lines.length === 1, { timeout: 10_000 });
  const goneAt = clock;
  await vi.waitUntil(() => clock > goneAt + 100_000, { timeout: 10_000 });
  const second = await storage(first.port);
  await vi.waitUntil(() => times(second.uploads).length >= 20, { timeout: 20_000 });
  const all = [...times(first.uploads), ...times(second.uploads)];
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect(times(second.uploads)[0]! * 1000).toBeLessThanOrEqual(goneAt);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^The portal answers again/);
});

test('a logger uploads a log file per hour in addition to its snapshots, also for hours in which the computer slept (43.9)', async () => {
  const { uploads, port } = await storage();
  const clock = { ms: Date.parse('2026-11-19T10:20:00Z') };
  const asked: [from: number, to: number][] = [];
  const fileOf = (from: number, to: number) => {
    asked.push([from, to]);
    return Buffer.from(`file of ${new Date(from).toISOString()}`);
  };
  start(port, { now: () => clock.ms, log: { offsetMs: 25 * 60_000, fileOf } });
  const names = () => uploads.flatMap(({ path }) => /[^/]+\.rxd/.exec(path) ?? []);
  await expect.poll(() => times(uploads).length, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(names()).toEqual([]);
  clock.ms = Date.parse('2026-11-19T10:25:03Z');
  await expect.poll(names, { timeout: 20_000 }).toEqual(['WS_0012345_20261119_092500.rxd']);
  clock.ms = Date.parse('2026-11-19T13:00:00Z');
  await expect
    .poll(names, { timeout: 20_000 })
    .toEqual([
      'WS_0012345_20261119_092500.rxd',
      'WS_0012345_20261119_102500.rxd',
      'WS_0012345_20261119_112500.rxd',
    ]);
  expect(asked.map(([from, to]) => to - from)).toEqual([3_600_000, 3_600_000, 3_600_000]);
  const log = uploads.find(({ path }) => path.includes('.rxd'));
  expect(log?.path).toMatch(/^\/telemetry\/WS_SN0012345\/20261119\//);
  expect(log?.body).toContain('file of 2026-11-19T09:25:00.000Z');
  const snapshots = times(uploads).length;
  await expect.poll(() => times(uploads).length, { timeout: 20_000 }).toBeGreaterThan(snapshots);
});

test('a logger whose uploads are refused keeps retrying; the log has one line for the refusal, and one when uploads succeed again', async () => {
  const { answer, uploads, port } = await storage();
  answer.status = 403;
  const lines = start(port);
  await vi.waitUntil(() => lines.length === 1, { timeout: 10_000 });
  answer.status = 200;
  await vi.waitUntil(() => uploads.length > 2, { timeout: 10_000 });
  expect(lines).toHaveLength(2);
});

test('a silent logger delivers its last readings, up to 16:40 of a day before the last working day, and nothing more', async () => {
  const { uploads, port } = await storage();
  const since = silentSince(Date.parse('2025-11-18T23:30:00Z')); // Wednesday the 19th in Amsterdam
  expect(new Date(since).toISOString()).toBe('2025-11-17T15:40:00.000Z');
  start(port, { silentSince: since });
  await vi.waitUntil(() => uploads.length === 11, { timeout: 10_000 });
  expect(times(uploads).at(-1)).toBe(since / 1000);
  expect(times(uploads)[0]).toBe(since / 1000 - 600);
  expect(uploads.some(({ path }) => path.includes('Status'))).toBe(false);
});
