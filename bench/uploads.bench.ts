/**
 * Acknowledged snapshot uploads (docs/design.md section 11): 1,000 loggers with keys of their own, 20 signals,
 * hash-signed, keep-alive, 128 connections in a closed loop; the portal as in production with its embedded PostgreSQL,
 * everything that an upload sets off included. Reference: a Fastify process that only reads and hashes the same bodies;
 * what Node's own server does with them stands in the notes.
 */
import { availableParallelism } from 'node:os';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import type { LoadResult } from './load.ts';
import { startLoadClient } from './load-client.ts';
import { median } from './median.ts';
import { compare, inPairs } from './pairs.ts';
import { withCores } from './processor-time.ts';
import { startReference } from './reference.ts';
import { type Bench, whole } from './row.ts';

const LOGGERS = 1_000;
const CONNECTIONS = 128;
const PAIRS = 7;
const BARE_RUNS = 3;
const SECONDS = 5;
const WARM_UP_SECONDS = 3;
const REACH_PER_SECOND = 3_000;
const REACH_RATIO = 0.5;
/** How long ago the first readings are: time enough for some ten million, one per 2 s and logger. */
const PAST_SECONDS = 6 * 3600;

type Run = LoadResult & {
  readonly cores: string;
  /** Of all cores; undefined where it cannot be told. */
  readonly idle: number | undefined;
  /** Processor time per upload, µs: others on the machine change the rate, and this hardly. */
  readonly micros: string;
};

export const uploads: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(LOGGERS)} loggers`);
  const loggers = await portal.machines(LOGGERS);
  const reference = await startReference(place);
  const client = startLoadClient(place);
  const firstSeconds = Math.floor(Date.now() / 1000) - PAST_SECONDS;
  let from = 0;
  let acknowledged = 0;
  let expectedRate = 10_000;

  async function run(name: string, pid: number, port: number, seconds: number): Promise<Run> {
    const once = port === portal.port;
    if (once) {
      // More than can be sent: nothing is sent twice, and no pause is measured.
      const count = Math.ceil(1.5 * expectedRate * seconds);
      const host = `127.0.0.1:${port}`;
      await client.sign({ loggers, host, from, count, firstSeconds, signedAt: Date.now() });
      from += count;
    }
    const load = { port, connections: CONNECTIONS, seconds, once };
    const { result, cores } = await withCores(pid, () => client.run(200, load));
    if (once) {
      acknowledged += result.answered;
      expectedRate = Math.max(2_000, result.perSecond);
    }
    const text = cores
      ? `${cores.process.toFixed(2)}/${result.clientCores.toFixed(2)}/${cores.all.toFixed(2)}/${cores.stolen.toFixed(2)}`
      : `?/${result.clientCores.toFixed(2)}/?/?`;
    const per = (busy: number) => ((busy * 1e6) / result.perSecond).toFixed(0);
    const micros = cores
      ? `${per(cores.process)}/${per(result.clientCores)}`
      : `?/${per(result.clientCores)}`;
    place.say(
      `${name}: ${whole(result.perSecond)}/s, p50 ${result.p50Ms.toFixed(1)} p99 ${result.p99Ms.toFixed(1)} ms, cores ${text}`,
    );
    return { ...result, cores: text, idle: cores && 1 - cores.all / availableParallelism(), micros };
  }
  const ours = (seconds = SECONDS) => run('portal', portal.pid, portal.port, seconds);
  const theirs = (seconds = SECONDS) => run('reference', reference.pid, reference.port, seconds);

  await ours(WARM_UP_SECONDS);
  await theirs(WARM_UP_SECONDS);
  const pairs = await inPairs(
    PAIRS,
    () => ours(),
    () => theirs(),
  );
  const {
    ours: rate,
    reference: rateOfReference,
    ratio,
    rounds,
  } = compare(pairs, ({ perSecond }) => perSecond);
  const bare: number[] = [];
  while (bare.length < BARE_RUNS)
    bare.push((await run('node:http', reference.pid, reference.barePort, SECONDS)).perSecond);
  const stored = await countOfReadings(portal);

  const of = (side: 'ours' | 'reference', key: 'p50Ms' | 'p99Ms') =>
    median(pairs.map((pair) => pair[side][key])).toFixed(1);
  return [
    {
      what: `acknowledged snapshot uploads, ${whole(LOGGERS)} loggers`,
      measured: `${whole(rate)}/s`,
      reference: `${whole(rateOfReference)}/s read + hash`,
      ratio,
      reach: `>= ${whole(REACH_PER_SECOND)}/s, >= ${REACH_RATIO} x`,
      reached: rate >= REACH_PER_SECOND && ratio >= REACH_RATIO,
      notes: [
        `pairs, uploads per second: ${rounds}`,
        `median p50 / p99: ${of('ours', 'p50Ms')} / ${of('ours', 'p99Ms')} ms; reference ${of('reference', 'p50Ms')} / ${of('reference', 'p99Ms')} ms (closed loop, ${CONNECTIONS} connections)`,
        `p99 of each round, ms: ${pairs.map(({ ours: { p99Ms } }) => p99Ms.toFixed(0)).join('  ')}; longest ${Math.max(...pairs.map(({ ours: { maxMs } }) => maxMs)).toFixed(0)}`,
        `Node's own server, without a framework: ${bare.map(whole).join('  ')}/s; of that ${(rate / median(bare)).toFixed(2)} x`,
        `idle while the portal was asked: ${pairs.map(({ ours: { idle } }) => (idle === undefined ? '?' : `${whole(100 * idle)} %`)).join('  ')}`,
        `processor time of each, server/client, µs: portal ${pairs.map((pair) => pair.ours.micros).join('  ')}; reference ${pairs.map((pair) => pair.reference.micros).join('  ')}`,
        `busy cores, server/client/whole machine/stolen by the host: portal ${pairs.map((pair) => pair.ours.cores).join('  ')}; reference ${pairs.map((pair) => pair.reference.cores).join('  ')}`,
      ],
    },
    {
      what: 'acknowledged uploads that are not in the database',
      measured: whole(acknowledged - stored),
      reach: '0',
      reached: acknowledged === stored,
      notes: [`${whole(acknowledged)} acknowledged, ${whole(stored)} readings stored`],
    },
  ];
};

async function countOfReadings({ pool }: BenchPortal): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::float8 as count from reading');
  return rows[0]?.count ?? 0;
}
