/**
 * Acknowledged snapshot uploads (docs/design.md section 11): 1,000 loggers with keys of their own, 20 signals,
 * hash-signed, keep-alive, 128 connections in a closed loop; the portal as in production with its embedded PostgreSQL,
 * everything that an upload sets off included, as one process and as two. References: a Fastify process that only reads
 * and hashes the same bodies, and least-portal.ts, which verifies them and stores their readings; what Node's own server
 * does with them stands in the notes.
 */
import { availableParallelism } from 'node:os';
import { type BenchLogger, type BenchPortal, startBenchPortal } from './bench-portal.ts';
import type { LeastOrder } from './least-portal.ts';
import { answerOf, startHelper, startLoadClient } from './load-client.ts';
import { median } from './median.ts';
import { compare } from './pairs.ts';
import { withCores } from './processor-time.ts';
import { startReference } from './reference.ts';
import { type Bench, whole } from './row.ts';
import type { Workplace } from './workplace.ts';

const LOGGERS = 1_000;
const CONNECTIONS = 128;
const ROUNDS = 7;
const BARE_RUNS = 3;
const SECONDS = 5;
const WARM_UP_SECONDS = 3;
const REACH_PER_SECOND = 3_000;
const REACH_RATIO = 0.5;
/** Of issue 17. */
const [REACH_EVERYTHING_ON, REACH_IDLE] = [7_500, 0.15];
/** How long ago the first readings are: time enough for some ten million, one per 2 s and logger. */
const PAST_SECONDS = 6 * 3600;

/** What is asked: one server, or several, each of which has the same share of the loggers and of the connections. */
type Side = {
  readonly name: string;
  readonly servers: readonly { readonly pid: number; readonly port: number }[];
  /** Nothing is sent twice to who stores it. */
  readonly stores: boolean;
};

type Run = {
  readonly perSecond: number;
  readonly answered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The first server's, the clients', the whole machine's, and what the host took; `?` where it cannot be told. */
  readonly cores: string;
  /** Of all cores. */
  readonly idle: number | undefined;
  /** Processor time per upload of the first server and of the client, µs: others on the machine change the rate, and this hardly. */
  readonly micros: string;
};

const SIDES = ['one', 'two', 'least', 'reference'] as const;
type Round = Readonly<Record<(typeof SIDES)[number], Run>>;

export const uploads: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  place.say(`Making ${whole(LOGGERS)} loggers`);
  const loggers = await portal.machines(LOGGERS);
  const second = await portal.second();
  const { barePort, ...reference } = await startReference(place);
  const sides: Readonly<Record<keyof Round, Side>> = {
    one: { name: 'portal', servers: [portal], stores: true },
    two: { name: 'two processes', servers: [portal, second], stores: true },
    least: { name: 'least', servers: [await startLeast(place, portal, loggers)], stores: true },
    reference: { name: 'reference', servers: [reference], stores: false },
  };
  const clients = sides.two.servers.map(() => startLoadClient(place));
  const firstSeconds = Math.floor(Date.now() / 1000) - PAST_SECONDS;
  let step = 0;
  let acknowledged = 0;
  const expected = new Map<Side, number>();

  async function run(side: Side, seconds = SECONDS): Promise<Run> {
    const { name, servers, stores } = side;
    if (stores) {
      // More than can be sent: nothing is sent twice, and no pause is measured.
      const steps = Math.ceil((1.5 * (expected.get(side) ?? 10_000) * seconds) / LOGGERS);
      const host = `127.0.0.1:${portal.port}`;
      for (const [n] of servers.entries()) {
        const own = loggers.filter((_, logger) => logger % servers.length === n);
        const which = { loggers: own, from: step * own.length, count: steps * own.length };
        await clients[n]?.sign({ ...which, host, firstSeconds, signedAt: Date.now() });
      }
      step += steps;
    }
    const connections = CONNECTIONS / servers.length;
    const { result, cores } = await withCores(servers[0]?.pid ?? 0, () =>
      Promise.all(
        servers.map(async ({ port }, n) => {
          const client = clients[n] as (typeof clients)[number];
          return client.run(200, { port, connections, seconds, once: stores });
        }),
      ),
    );
    const sum = (of: (one: (typeof result)[number]) => number) =>
      result.reduce((total, one) => total + of(one), 0);
    const most = (of: (one: (typeof result)[number]) => number) => Math.max(...result.map(of));
    const perSecond = sum((one) => one.perSecond);
    expected.set(side, Math.max(2_000, perSecond));
    const answered = sum((one) => one.answered);
    if (side === sides.one || side === sides.two) acknowledged += answered;
    const clientCores = sum((one) => one.clientCores);
    const busy = [cores?.process, clientCores, cores?.all, cores?.stolen];
    const micros = [cores?.process, clientCores].map((one) => one && (one * 1e6) / perSecond);
    const told = (values: readonly (number | undefined)[], digits: number) =>
      values.map((value) => value?.toFixed(digits) ?? '?').join('/');
    const measured = {
      perSecond,
      answered,
      p50Ms: most((one) => one.p50Ms),
      p99Ms: most((one) => one.p99Ms),
      maxMs: most((one) => one.maxMs),
      cores: told(busy, 2),
      idle: cores && 1 - cores.all / availableParallelism(),
      micros: told(micros, 0),
    };
    const { p50Ms, p99Ms, cores: text } = measured;
    place.say(
      `${name}: ${whole(perSecond)}/s, p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} ms, cores ${text}`,
    );
    return measured;
  }

  for (const side of SIDES) await run(sides[side], WARM_UP_SECONDS);
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const round: Partial<Record<keyof Round, Run>> = {};
    // What comes first one time comes last the next.
    for (const side of rounds.length % 2 === 0 ? SIDES : SIDES.toReversed())
      round[side] = await run(sides[side]);
    rounds.push(round as Round);
  }
  const bare: number[] = [];
  const bareSide = { name: 'node:http', servers: [{ ...reference, port: barePort }], stores: false };
  while (bare.length < BARE_RUNS) bare.push((await run(bareSide)).perSecond);
  const stored = await countOfReadings(portal);

  const between = (ours: keyof Round, other: keyof Round) =>
    compare(
      rounds.map((round) => ({ ours: round[ours], reference: round[other] })),
      ({ perSecond }) => perSecond,
    );
  const all = (side: keyof Round, of: (run: Run) => string) =>
    rounds.map((round) => of(round[side])).join('  ');
  const of = (side: keyof Round, key: 'p50Ms' | 'p99Ms') =>
    median(rounds.map((round) => round[side][key])).toFixed(1);
  const percent = (idle: number | undefined) => (idle === undefined ? '?' : `${whole(100 * idle)} %`);
  const idleOf = (side: keyof Round) => {
    const known = rounds.map((round) => round[side].idle).filter((idle) => idle !== undefined);
    return known.length > 0 ? median(known) : undefined;
  };
  const [beside, besideLeast, twice] = [
    between('one', 'reference'),
    between('one', 'least'),
    between('two', 'one'),
  ];
  const idle = idleOf('two');
  return [
    {
      what: `acknowledged snapshot uploads, ${whole(LOGGERS)} loggers`,
      measured: `${whole(beside.ours)}/s`,
      reference: `${whole(beside.reference)}/s read + hash`,
      ratio: beside.ratio,
      reach: `>= ${whole(REACH_PER_SECOND)}/s, >= ${REACH_RATIO} x`,
      reached: beside.ours >= REACH_PER_SECOND && beside.ratio >= REACH_RATIO,
      notes: [
        `pairs, uploads per second: ${beside.rounds}`,
        `median p50 / p99: ${of('one', 'p50Ms')} / ${of('one', 'p99Ms')} ms; reference ${of('reference', 'p50Ms')} / ${of('reference', 'p99Ms')} ms (closed loop, ${CONNECTIONS} connections)`,
        `p99 of each round, ms: ${all('one', ({ p99Ms }) => p99Ms.toFixed(0))}; longest ${Math.max(...rounds.map(({ one }) => one.maxMs)).toFixed(0)}`,
        `Node's own server, without a framework: ${bare.map(whole).join('  ')}/s; of that ${(beside.ours / median(bare)).toFixed(2)} x`,
        `processor time of each, server/client, µs: portal ${all('one', ({ micros }) => micros)}; reference ${all('reference', ({ micros }) => micros)}`,
        `busy cores, server/client/whole machine/stolen by the host: portal ${all('one', ({ cores }) => cores)}; reference ${all('reference', ({ cores }) => cores)}`,
      ],
    },
    {
      what: 'the same beside the least that stores a reading before it acknowledges it',
      measured: `${whole(besideLeast.ours)}/s`,
      reference: `${whole(besideLeast.reference)}/s least`,
      ratio: besideLeast.ratio,
      reach: `>= ${whole(REACH_EVERYTHING_ON)}/s`,
      reached: besideLeast.ours >= REACH_EVERYTHING_ON,
      notes: [
        `pairs, uploads per second: ${besideLeast.rounds}`,
        `processor time of each, server/client, µs: least ${all('least', ({ micros }) => micros)}`,
        `idle meanwhile: portal ${all('one', ({ idle }) => percent(idle))}; least ${all('least', ({ idle }) => percent(idle))}`,
      ],
    },
    {
      what: 'cores that stand still while two processes on one database take uploads',
      measured: percent(idle),
      reference: `${percent(idleOf('one'))} with one`,
      reach: `< ${percent(REACH_IDLE)}`,
      reached: idle !== undefined && idle < REACH_IDLE,
      notes: [
        `pairs, uploads per second of two and of one: ${twice.rounds}; median ${twice.ratio.toFixed(2)} x`,
        `idle: ${all('two', ({ idle: one }) => percent(one))}`,
        `median p50 / p99: ${of('two', 'p50Ms')} / ${of('two', 'p99Ms')} ms`,
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

async function startLeast(
  place: Workplace,
  { owner }: BenchPortal,
  loggers: readonly BenchLogger[],
): Promise<Side['servers'][number]> {
  const child = startHelper(place, './least-portal.ts');
  const { host, port, user, password, database } = owner.options;
  child.send({ connection: { host, port, user, password, database }, loggers } as LeastOrder);
  const [at] = (await answerOf(child)) as [number];
  return { pid: child.pid as number, port: at };
}

async function countOfReadings({ pool }: BenchPortal): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::float8 as count from reading');
  return rows[0]?.count ?? 0;
}
