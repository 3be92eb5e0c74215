/**
 * Acknowledged snapshot uploads (docs/performance.md): 1,000 loggers, each with its own key, 20 signals,
 * hash-signed, keep-alive, 128 connections in a closed loop. The portal runs as in production with its embedded
 * PostgreSQL, as one process and as two. Reference: a Fastify process that only reads and hashes the same
 * bodies.
 */
import { availableParallelism } from 'node:os';
import { startLoadClient } from './load-client.ts';
import { type BenchPortal, startBenchPortal } from './portal.ts';
import { measureCores, nextMessage, startHelper } from './processes.ts';
import { type Bench, rateRow, wholeNumber } from './report.ts';
import { comparePairs, median } from './statistics.ts';

const LOGGERS = 1_000;
const CONNECTIONS = 128;
const ROUNDS = Number(process.env.UPLOAD_ROUNDS ?? 7);
const SECONDS = 5;
const WARM_UP_SECONDS = 3;
/** Age of each logger's first reading. In this time 1,000 loggers with a reading per 2 s have more than ten million readings. */
const PAST_SECONDS = 6 * 3600;

/** One side of the comparison: one server, or several servers that each have an equal share of the loggers and the connections. */
type Side = {
  readonly servers: readonly { readonly pid: number; readonly port: number }[];
  /** True for the portal. The portal stores uploads, so each upload may be sent only once. */
  readonly isPortal: boolean;
};
type Run = {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly idle: number;
  readonly text: string;
};

export const uploads: Bench = async (context) => {
  const portal: BenchPortal = await startBenchPortal(context);
  context.log(`Making ${wholeNumber(LOGGERS)} loggers`);
  const loggers = await portal.machines(LOGGERS);
  const second = await portal.second();
  const reference = startHelper(context, './reference-server.ts');
  const port = await nextMessage<number>(reference);
  const sides = {
    one: { servers: [portal], isPortal: true },
    two: { servers: [portal, second], isPortal: true },
    reference: { servers: [{ pid: reference.pid as number, port }], isPortal: false },
  } satisfies Record<string, Side>;
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const clients = sides.two.servers.map(() => startLoadClient(context));
  const firstSeconds = Math.floor(Date.now() / 1000) - PAST_SECONDS;
  const expected = new Map<string, number>();
  let [step, acknowledged] = [0, 0];

  async function run(name: keyof typeof sides, seconds = SECONDS): Promise<Run> {
    const { servers, isPortal }: Side = sides[name];
    if (isPortal) {
      // Signs more uploads than can be sent in `seconds`, so that none is sent twice and the load never pauses.
      const steps = Math.ceil((1.5 * (expected.get(name) ?? 10_000) * seconds) / LOGGERS);
      for (const [n] of servers.entries()) {
        const own = loggers.filter((_, logger) => logger % servers.length === n);
        const which = { loggers: own, from: step * own.length, count: steps * own.length };
        await clients[n]?.sign({
          ...which,
          host: `127.0.0.1:${portal.port}`,
          firstSeconds,
          signedAt: Date.now(),
        });
      }
      step += steps;
    }
    const load = { connections: CONNECTIONS / servers.length, seconds, status: 200, once: isPortal };
    const { result, cores } = await measureCores(servers[0]?.pid ?? 0, () =>
      Promise.all(servers.map((server, n) => clients[n]!.closedLoop({ ...load, port: server.port }))),
    );
    const sum = (key: 'perSecond' | 'answered' | 'clientCores') =>
      result.reduce((total, one) => total + one[key], 0);
    const perSecond = sum('perSecond');
    const p99Ms = Math.max(...result.map((one) => one.p99Ms));
    expected.set(name, Math.max(2_000, perSecond));
    if (isPortal) acknowledged += sum('answered');
    const micros = (busy: number) => wholeNumber((busy * 1e6) / perSecond);
    const text = `${wholeNumber(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms; processor time per upload ${micros(cores.process)} µs, of the client ${micros(sum('clientCores'))} µs; busy cores of the machine ${cores.all.toFixed(2)}, taken by the host ${cores.stolen.toFixed(2)}`;
    context.log(`${name}: ${text}`);
    return { perSecond, p99Ms, idle: 1 - cores.all / availableParallelism(), text };
  }

  for (const name of names) await run(name, WARM_UP_SECONDS);
  const rounds: Record<keyof typeof sides, Run>[] = [];
  while (rounds.length < ROUNDS) {
    const round: Partial<Record<keyof typeof sides, Run>> = {};
    // The side that runs first in one round runs last in the next.
    for (const name of rounds.length % 2 === 0 ? names : names.toReversed()) round[name] = await run(name);
    rounds.push(round as Record<keyof typeof sides, Run>);
  }
  const stored = await portal.countReadings();
  const pairs = (ours: keyof typeof sides, other: keyof typeof sides) =>
    comparePairs(rounds.map((round) => ({ ours: round[ours].perSecond, reference: round[other].perSecond })));
  const idle = (name: keyof typeof sides) => median(rounds.map((round) => round[name].idle));
  const texts = (name: keyof typeof sides) => rounds.map((round) => `${name}: ${round[name].text}`);
  const one = pairs('one', 'reference');
  return [
    rateRow(`acknowledged uploads of snapshots by ${wholeNumber(LOGGERS)} loggers`, one, {
      unit: '/s',
      beside: 'by a route that only reads and hashes',
      least: 3_000,
      leastRatio: 0.5,
      details: [...texts('one'), ...texts('reference')],
    }),
    {
      what: `acknowledged uploads of snapshots by ${wholeNumber(LOGGERS)} loggers: target on a fast host`,
      measured: `${wholeNumber(one.ours)}/s`,
      toReach: '>= 7,500/s',
      reached: one.ours >= 7_500,
    },
    {
      what: 'idle processor time while two processes on one database receive uploads',
      measured: `${wholeNumber(100 * idle('two'))} %`,
      reference: `${wholeNumber(100 * idle('one'))} % with one process`,
      toReach: '< 15 %',
      reached: idle('two') < 0.15,
      details: [`uploads per second by two and by one: ${pairs('two', 'one').rounds}`, ...texts('two')],
    },
    {
      what: 'acknowledged uploads that are not in the database',
      measured: wholeNumber(acknowledged - stored),
      toReach: '0',
      reached: acknowledged === stored,
      details: [`${wholeNumber(acknowledged)} acknowledged, ${wholeNumber(stored)} readings stored`],
    },
  ];
};
