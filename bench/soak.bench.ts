/**
 * The load of 10,000 machines, for ten minutes (SOAK_MINUTES makes it shorter; the row says so): as many loggers, each
 * with a key of its own, upload a snapshot of the simulator's every 10 s (1,000 signed uploads per second, evenly
 * spread, at their time whether or not the portal keeps up), while 200 open pages of an administrator poll
 * GET /api/live every 5 s with the tag of their newest answer; the portal as in production with its embedded
 * PostgreSQL. Reference: the same load on a Fastify process that only reads and hashes what is uploaded, and serves the
 * same live bytes from memory.
 */
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { answerOf, startHelper } from './load-client.ts';
import { FLAT_SHARE, familyOf, growth, memoryOf, parentOf, titleOf } from './memory.ts';
import { withCores } from './processor-time.ts';
import { startReference } from './reference.ts';
import { type Bench, type Row, whole } from './row.ts';
import { type EndpointResult, PAGES, type SoakOrder, type SoakResult, UPLOAD_EVERY_MS } from './soak-load.ts';
import type { SoakReply } from './soak-process.ts';
import type { SteadyOrder } from './steady-load.ts';
import type { Workplace } from './workplace.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const LOGGERS = 10_000;
const REFERENCE_SECONDS = 30;
const SAMPLE_EVERY_MS = 10_000;
/** No answer may take longer than a tenth of the time between two uploads of a logger. */
const P99_MS = UPLOAD_EVERY_MS / 10;
const MIB = 2 ** 20;

export const soak: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(LOGGERS)} loggers`);
  const loggers = await portal.machines(LOGGERS);
  const cookie = await portal.signIn();
  const client = startHelper(place, './soak-process.ts');

  const postmaster = await postmasterOf(portal);
  const memory = sampleMemory(place, portal.pid, postmaster);
  place.say(`${whole(LOGGERS)} loggers and ${PAGES} pages for ${MINUTES} minutes`);
  const order = { port: portal.port, livePath: '/api/live', cookie, loggers, seconds: 60 * MINUTES };
  const { result: ours, cores } = await withCores(portal.pid, () => runLoad(client, order));
  const samples = memory.stop();
  const stored = await countOfReadings(portal);

  const file = join(await place.folder(), 'live.json.gz');
  await writeFile(file, await zippedLive(portal, cookie));
  const reference = await startReference(place, file);
  const other = { ...order, port: reference.port, livePath: '/live', seconds: REFERENCE_SECONDS };
  const theirs = await runLoad(client, other);
  const acknowledged = ours.uploads.answers['200'] ?? 0;
  const what = `soak, ${whole(LOGGERS)} loggers, ${PAGES} pages, ${MINUTES} min`;
  const failed = failures(ours);
  return [
    {
      what: `${what}: uploads and polls that failed`,
      measured: `${whole(failed)} of ${whole(ours.uploads.sent)} and ${whole(ours.polls.sent)}`,
      reach: '0',
      reached: failed === 0,
      notes: [
        `answers, uploads: ${JSON.stringify(ours.uploads.answers)}; polls: ${JSON.stringify(ours.polls.answers)}, ${whole(ours.reconnects)} of them asked again because the portal had just ended the kept connection`,
        `busy cores: portal ${cores?.process.toFixed(2) ?? '?'}, whole machine ${cores?.all.toFixed(2) ?? '?'}, stolen by the host ${cores?.stolen.toFixed(2) ?? '?'}, client ${ours.clientCores.toFixed(2)}`,
      ],
    },
    {
      what: `${what}: acknowledged uploads that are not in the database`,
      measured: whole(acknowledged - stored),
      reach: '0',
      reached: acknowledged === stored,
      notes: [`${whole(acknowledged)} acknowledged, ${whole(stored)} readings stored`],
    },
    endpointRow(`${what}: p99 of the upload endpoint`, ours.uploads, theirs.uploads, 'read + hash'),
    endpointRow(`${what}: p99 of GET /api/live`, ours.polls, theirs.polls, 'same bytes from memory'),
    memoryRow(`${what}: memory of the portal`, samples.portal, 'all that is resident'),
    memoryRow(
      `${what}: memory of PostgreSQL`,
      samples.postgres,
      'of all its processes, without the shared buffers',
    ),
  ];
};

/** Has the client process do one order. @throws what it throws */
export async function runLoad<Result = SoakResult>(
  client: ReturnType<typeof startHelper>,
  order: SoakOrder | SteadyOrder,
): Promise<Result> {
  client.send(order);
  const [reply] = (await answerOf(client)) as [SoakReply<Result>];
  if ('failed' in reply) throw new Error(reply.failed);
  return reply.result;
}

const failures = ({ uploads, polls }: SoakResult): number =>
  [uploads, polls].reduce(
    (sum, { sent, answers }) => sum + sent - (answers['200'] ?? 0) - (answers['304'] ?? 0),
    0,
  );

function endpointRow(what: string, ours: EndpointResult, theirs: EndpointResult, reference: string): Row {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const line = ({ p50Ms, p99Ms, maxMs }: EndpointResult) =>
    `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, longest ${ms(maxMs)}`;
  return {
    what,
    measured: ms(ours.p99Ms),
    reference: `${ms(theirs.p99Ms)} ${reference}`,
    ratio: ours.p99Ms / theirs.p99Ms,
    reach: `<= ${whole(P99_MS)} ms`,
    reached: ours.p99Ms <= P99_MS,
    notes: [
      `from when it was due: ${line(ours)}; reference, ${REFERENCE_SECONDS} s: ${line(theirs)}`,
      `median of each 10 s, ms: ${ours.mediansMs.map((one) => one.toFixed(0)).join(' ')}`,
    ],
  };
}

function memoryRow(what: string, bytes: readonly number[], which: string): Row {
  const grown = growth(bytes);
  const mib = bytes.map((sample) => whole(sample / MIB));
  return {
    what,
    measured: `${grown < 0 ? '' : '+'}${(100 * grown).toFixed(1)} %, at most ${whole(Math.max(...bytes) / MIB)} MiB`,
    reach: `last third <= ${100 * FLAT_SHARE} % above middle third`,
    reached: grown <= FLAT_SHARE,
    notes: [`MiB every ${SAMPLE_EVERY_MS / 1000} s, ${which}: ${mib.join(' ')}`],
  };
}

/** Of every 10 s until stopped: bytes. */
function sampleMemory(place: Workplace, portalPid: number, postmaster: number) {
  const portal: number[] = [];
  const postgres: number[] = [];
  const sample = async (): Promise<void> => {
    const { resident } = await memoryOf(portalPid);
    const own = await Promise.all((await familyOf(postmaster)).map(lastingMemory));
    portal.push(resident);
    postgres.push(own.reduce((sum, bytes) => sum + bytes, 0));
    if (portal.length % 6 === 0)
      place.say(`portal ${whole(resident / MIB)} MiB, PostgreSQL ${whole((postgres.at(-1) ?? 0) / MIB)} MiB`);
  };
  const timer = setInterval(() => {
    sample().catch((error: Error) => place.say(`No sample of the memory: ${error.message}`));
  }, SAMPLE_EVERY_MS);
  place.onClose(async () => clearInterval(timer));
  return {
    stop() {
      clearInterval(timer);
      return { portal, postgres };
    },
  };
}

/** Bytes of a process of PostgreSQL; one that cleans up comes and goes, and takes what it is given meanwhile. */
async function lastingMemory(pid: number): Promise<number> {
  try {
    return /autovacuum worker/.test(await titleOf(pid)) ? 0 : (await memoryOf(pid)).own;
  } catch {
    return 0; // it ended between two looks
  }
}

export async function postmasterOf({ pool }: BenchPortal): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]?.pid ?? 0);
}

export async function countOfReadings({ pool }: BenchPortal): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::float8 as count from reading');
  return rows[0]?.count ?? 0;
}

/** The live answer as it goes over the line; fetch() would unpack it. */
function zippedLive({ address }: BenchPortal, cookie: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(`${address}/api/live`, { headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
      buffer(response).then(resolve, reject);
    }).on('error', reject);
  });
}
