import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FleetLogger, TestFleet } from '#server/telemetry/test/fleet.ts';
import { referencedBufferBytes } from '#server/test/held-bytes.ts';
import { type FileKind, replaceFile } from './machine-files.store.ts';

const MIB = 1024 * 1024;
/** A manual larger than the buffers between two sockets of one computer, so that a client that reads nothing stalls the server. */
const MANUAL = Buffer.alloc(12 * MIB, 'A page of the manual. ');

const PATIENT = { timeout: 15_000 };
const PHOTO = Buffer.alloc(50_000, 'A photo. ');

let fleet: TestFleet;
let logger: FleetLogger;
/** Cookie of a user of another organization. */
let other: string;
let url: string;
let photo: string;
/** A separate database connection for the test, which is not in the portal's pools. */
let aside: pg.Client;

async function store(kind: FileKind, body: Buffer): Promise<string> {
  const { serialNumber } = logger;
  const file = { name: 'x', contentType: 'application/x', body };
  const { hash } = await replaceFile(fleet.portal.pool, { email: 'x' }, serialNumber, kind, file);
  return `${fleet.portal.address}/api/${kind === 'photo' ? 'img' : 'manual'}/${serialNumber}/${hash}`;
}

beforeAll(async () => {
  fleet = await TestFleet.open();
  logger = await fleet.newLogger();
  await fleet.portal.user('b@buur.nl', await fleet.portal.organization('buur'));
  await fleet.portal.user('c@klant.nl', fleet.organization);
  other = await fleet.portal.login('b@buur.nl');
  url = await store('manual', MANUAL);
  photo = await store('photo', PHOTO);
  aside = new pg.Client(fleet.portal.connection);
  await aside.connect();
});
afterAll(async () => {
  await aside.end();
  await fleet.close();
});

/** Sends a request, and adds its answer to `begun` without reading the body. */
function slowReader(cookie: string, begun: IncomingMessage[]): ClientRequest {
  const reader = get(url, { headers: { cookie }, agent: false }, (answer) => void begun.push(answer.pause()));
  return reader.on('error', () => {}); // the test destroys the request
}
const slowReaders = (count: number, begun: IncomingMessage[] = []): ClientRequest[] =>
  Array.from({ length: count }, () => slowReader(fleet.cookie, begun));

const photoFor = async (cookie: string): Promise<number> =>
  (await (await fetch(photo, { headers: { cookie } })).arrayBuffer()).byteLength;

test('sixty slow readers of one account are answered six at a time, and hold no file in memory (12.B1, API-03)', async () => {
  const colleague = await fleet.portal.login('c@klant.nl');
  const before = referencedBufferBytes();
  const begun: IncomingMessage[] = [];
  const readers = slowReaders(60, begun);
  await expect.poll(() => begun.length, PATIENT).toBeGreaterThanOrEqual(6);
  expect(await photoFor(colleague)).toBe(PHOTO.length);
  expect(begun).toHaveLength(6);
  await expect.poll(() => referencedBufferBytes() - before, PATIENT).toBeLessThan(8 * MIB);
  // After the first six readers disconnect, the next six are served. After all disconnect, a photo is served: none waits in the queue.
  for (const answer of begun.slice()) answer.destroy();
  await expect.poll(() => begun.length, PATIENT).toBe(12);
  for (const reader of readers) reader.destroy();
  expect(await photoFor(fleet.cookie)).toBe(PHOTO.length);
});

/** Runs `work` while all queries of the table of files are blocked. */
async function withoutFiles(work: () => Promise<void>): Promise<void> {
  await aside.query('begin');
  try {
    await aside.query('lock table machine_file in access exclusive mode');
    await work();
  } finally {
    await aside.query('rollback');
  }
}
const waitingForFiles = async (): Promise<number> => {
  const { rows } = await aside.query<{ n: number }>(
    // The table has the same oid in the databases of other tests, so the lock's database is compared too.
    `select count(*)::integer as n from pg_locks where not granted and relation = 'machine_file'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]?.n ?? 0;
};

test('pages and uploads never wait for downloads of files (12.B1, INGEST-01)', async () => {
  await withoutFiles(async () => {
    const readers = slowReaders(60);
    await expect.poll(waitingForFiles, PATIENT).toBeGreaterThanOrEqual(4);
    expect((await fleet.portal.get('/api/machine/get/all', other)).statusCode).toBe(200);
    expect(
      await fleet.putStatus(logger, 'J1939Snapshot.json', `{"GMT_UNIX":${Date.now() / 1000},"Soc1":50}`),
    ).toBe(200);
    for (const reader of readers) reader.destroy();
  });
});

test('uploads never wait for requests for pages (12.B1, INGEST-01)', async () => {
  await withoutFiles(async () => {
    const pages = Array.from({ length: 20 }, () =>
      fleet.portal.get(`/api/manual/${logger.serialNumber}`, fleet.cookie),
    );
    await expect.poll(waitingForFiles, PATIENT).toBeGreaterThanOrEqual(9);
    expect(
      await fleet.putStatus(logger, 'J1939Snapshot.json', `{"GMT_UNIX":${Date.now() / 1000},"Soc1":51}`),
    ).toBe(200);
    void Promise.all(pages);
  });
});

/** Returns how many bytes the database sends over the connections of the pool for files while `work` runs. */
async function readFor(work: () => Promise<unknown>): Promise<number> {
  const { files } = fleet.portal.portal.pools;
  const readBy = ({ connection }: pg.PoolClient) => (connection.stream as Socket).bytesRead;
  const before = new Map<pg.PoolClient, number>();
  const note = (client: pg.PoolClient) => void before.set(client, before.get(client) ?? readBy(client));
  files.on('acquire', note);
  await work();
  files.off('acquire', note);
  return [...before].reduce((sum, [client, read]) => sum + readBy(client) - read, 0);
}

test('HEAD has the headers of GET, and reads no body (12.B1)', async () => {
  const headers = { cookie: fleet.cookie };
  const ask = (method: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, headers, agent: false }, resolve).on('error', reject).end();
    });
  const got = await ask('GET');
  const { date: _, ...getHeaders } = got.headers;
  expect((await buffer(got)).equals(MANUAL)).toBe(true);
  let head: IncomingMessage | undefined;
  const bytes = await readFor(async () => {
    head = await ask('HEAD');
  });
  const { date: __, ...headHeaders } = head?.headers ?? {};
  expect([head?.statusCode, headHeaders]).toEqual([200, getHeaders]);
  expect(bytes).toBeLessThan(64 * 1024);
});

test('an unreadable file is answered with a message, and HEAD, which does not read the file, succeeds (12.B1, API-03)', async () => {
  await aside.query('alter table machine_file rename column body to elsewhere');
  try {
    const headers = { cookie: fleet.cookie };
    const failed = await fetch(url, { headers });
    expect([failed.status, await failed.json()]).toEqual([
      500,
      { code: 'internal', message: 'Er ging iets mis in het portaal.' },
    ]);
    expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(200);
  } finally {
    await aside.query('alter table machine_file rename column elsewhere to body');
  }
});

test('a page with the photos of 120 machines gets all of them at once (12.B1, MDET-10)', async () => {
  const sizes = await Promise.all(Array.from({ length: 120 }, () => photoFor(fleet.cookie)));
  expect(sizes).toEqual(sizes.map(() => PHOTO.length));
});

test('a download of a manual that is replaced meanwhile is cut off, and never continues with the new manual (12.B1, MEDIT-09)', async () => {
  const answered: IncomingMessage[] = [];
  slowReader(fleet.cookie, answered);
  await expect.poll(() => answered.length, PATIENT).toBe(1);
  const newer = Buffer.alloc(MANUAL.length, 'Another edition of it. ');
  await store('manual', newer);
  const pieces: Buffer[] = [];
  const answer = answered[0] as IncomingMessage;
  const whole = new Promise<boolean>((resolve) => {
    answer.on('data', (piece: Buffer) => pieces.push(piece)).on('end', () => resolve(true));
    answer
      .on('error', () => resolve(false))
      .on('close', () => resolve(false))
      .resume();
  });
  expect(await whole).toBe(false);
  const read = Buffer.concat(pieces);
  expect(read.equals(MANUAL.subarray(0, read.length))).toBe(true);
  expect(await fleet.portal.get(new URL(url).pathname, fleet.cookie)).toMatchObject({ statusCode: 404 });
  url = await store('manual', MANUAL);
});
