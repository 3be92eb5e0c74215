/**
 * A cluster loses one of its machines under load: a worker for a while, and its coordinator. What lies on the other workers goes on; all of it
 * comes back by itself once the machine does.
 */

import type { Pool } from '#server/platform/database.ts';
import { signalCluster } from '#server/platform/postgres/test/postmaster-pid.ts';
import { findShards, shardOf } from '#server/platform/shards.ts';
import { readWindow } from '#server/telemetry/late-readings.ts';
import { readBuckets } from '#server/telemetry/read-buckets.ts';
import { bucketsOf, follow } from '#shared/domain/figures.ts';
import type { BenchContext } from '../context.ts';
import { type CitusCluster, portOf, queryOnce, startCitusCluster } from './citus-cluster.ts';
import type { ExternalCluster } from './external-cluster.ts';
import { type Fault, mustHold, type Passed, seconds, sleep, until } from './fault.ts';
import { type FaultPortal, nothingLost, startFaultPortal } from './fault-portal.ts';
import { refusalsOf, type SteadyLoad, startSteadyLoad } from './steady-load.ts';

const GONE_MS = Number(process.env.FAULT_GONE_S ?? 60) * 1_000;
const LOGGERS = 96;
const SHARDS = 8;
const NOTICED_WITHIN_MS = 15_000;
const BACK_WITHIN_MS = 30_000;
/** Streams whose roll-up is made anew from their readings. */
const COMPARED = 12;

export const clusterFaults: readonly Fault[] = [
  {
    name: `cluster: a worker killed, and gone for ${GONE_MS / 1000} s`,
    done: `Citus, two workers, ${SHARDS} shards: kill -9 of all of one worker while ${LOGGERS} loggers upload, started again after ${GONE_MS / 1000} s`,
    holds: `the shards of the other worker take uploads all the while, health stays 200 and names the others within ${NOTICED_WITHIN_MS / 1000} s, none of those acknowledges anything, all are served within ${BACK_WITHIN_MS / 1000} s of its return, acknowledged = stored, the roll-up is what the readings say`,
    run: loseWorker,
  },
  {
    name: 'cluster: the coordinator killed',
    done: `the same cluster: kill -9 of all of the coordinator under the same load, started again after 10 s`,
    holds: `health says 503, nothing is acknowledged meanwhile, all works again within ${BACK_WITHIN_MS / 1000} s of its return, acknowledged = stored, the roll-up is what the readings say`,
    run: loseCoordinator,
  },
];

type Scene = {
  readonly cluster: CitusCluster;
  readonly portal: FaultPortal;
  readonly load: SteadyLoad;
  /** Acknowledged so far, by shard. */
  counts(): number[];
};

async function begin(context: BenchContext): Promise<Scene> {
  const cluster = await startCitusCluster(context, 2);
  const portal = await startFaultPortal(context, await context.folder(), {
    DATABASE_URL: cluster.url,
    CELLS: String(SHARDS),
  });
  const loggers = await portal.loggers(LOGGERS);
  const firstSeconds = Math.floor(Date.now() / 1000) - 86_400;
  const load = startSteadyLoad({ ports: [portal.port], loggers, firstSeconds });
  await until('1,000 uploads', 120_000, () => load.count() >= 1_000);
  const counts = () => {
    const all = Array.from({ length: SHARDS }, () => 0);
    for (const [streamId, own] of load.acknowledged)
      all[shardOf(streamId)] = (all[shardOf(streamId)] ?? 0) + own.length;
    return all;
  };
  return { cluster, portal, load, counts };
}

/** All of its processes: nobody says goodbye. */
const kill = ({ pid }: ExternalCluster): Promise<void> => signalCluster(pid(), 'SIGKILL');

async function cellsAway({ address }: FaultPortal): Promise<string[] | undefined> {
  const answer = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  );
  if (answer?.status !== 200) return undefined;
  return ((await answer.json()) as { database: { cellsAway?: string[] } }).database.cellsAway;
}

async function loseWorker(context: BenchContext): Promise<Passed> {
  const scene = await begin(context);
  const { cluster, portal, load, counts } = scene;
  try {
    const [lost] = cluster.workers as [ExternalCluster];
    const rows = await queryOnce<{ shard: string; port: number }>(
      cluster.url,
      `select distinct split_part(table_name::text, '.', 1) as shard, nodeport as port from citus_shards
       where table_name::text like 'telemetry%'`,
    );
    const lostShards = rows
      .filter(({ port }) => port === portOf(lost))
      .map(({ shard }) => shard)
      .sort();
    const names = await portal.withDatabase(({ pool }) => findShards(pool));
    const isLost = names.map((name) => lostShards.includes(name));
    mustHold(
      lostShards.length > 0 && lostShards.length < SHARDS,
      `The worker has ${lostShards.length} of ${SHARDS} shards.`,
    );

    await kill(lost);
    const goneAt = performance.now();
    await until(
      'health names its shards',
      NOTICED_WITHIN_MS,
      async () => `${await cellsAway(portal)}` === `${lostShards}`,
    );
    const noticed = performance.now() - goneAt;
    const [before, from] = [counts(), load.count()];
    let last = from;
    let longest = 0;
    let lastAt = performance.now();
    while (performance.now() - goneAt < GONE_MS) {
      await sleep(200);
      if (load.count() > last) {
        longest = Math.max(longest, performance.now() - lastAt);
        [last, lastAt] = [load.count(), performance.now()];
      }
      mustHold(performance.now() - lastAt < NOTICED_WITHIN_MS, 'The other shards take no uploads either.');
      mustHold((await portal.health()) === 200, 'Health said something else than 200.');
    }
    const after = counts();
    for (const [n, lostHere] of isLost.entries()) {
      const more = (after[n] ?? 0) - (before[n] ?? 0);
      mustHold(
        lostHere ? more === 0 : more > 0,
        `${more} uploads of shard ${n} were acknowledged meanwhile.`,
      );
    }
    const others = load.count() - from;

    await lost.start();
    const back = performance.now();
    await until('all shards take uploads', BACK_WITHIN_MS, () =>
      counts().every((count, n) => count > (after[n] ?? 0)),
    );
    const served = performance.now() - back;
    await until('health names none', BACK_WITHIN_MS, async () => (await cellsAway(portal))?.length === 0);
    const notes = await end(scene);
    return {
      rounds: 1,
      notes: [
        `${lostShards.length} of ${SHARDS} shards away; health named them after ${seconds(noticed)}; ${others.toLocaleString('en-GB')} uploads of the others meanwhile, the longest pause between two ${seconds(longest)}; all served ${seconds(served)} after it came back`,
        ...notes,
      ],
    };
  } finally {
    await load.stop();
  }
}

async function loseCoordinator(context: BenchContext): Promise<Passed> {
  const scene = await begin(context);
  const { cluster, portal, load, counts } = scene;
  try {
    await kill(cluster.coordinator);
    await until('health says 503', NOTICED_WITHIN_MS, async () => (await portal.health()) === 503);
    const acknowledged = load.count();
    await sleep(10_000);
    mustHold(load.count() === acknowledged, 'An upload was acknowledged without a coordinator.');
    const before = counts();
    await cluster.coordinator.start();
    const back = performance.now();
    await until('all shards take uploads', BACK_WITHIN_MS, () =>
      counts().every((count, n) => count > (before[n] ?? 0)),
    );
    const served = performance.now() - back;
    await until('health says 200', 45_000, async () => (await portal.health()) === 200);
    const notes = await end(scene);
    return { rounds: 1, notes: [`all shards served ${seconds(served)} after it came back`, ...notes] };
  } finally {
    await load.stop();
  }
}

async function end({ portal, load }: Scene): Promise<string[]> {
  await load.stop();
  await nothingLost(portal, load.acknowledged);
  const compared = await portal.withDatabase(({ pool }) =>
    compareRollup(pool, [...load.acknowledged.keys()]),
  );
  return [
    `${load.count().toLocaleString('en-GB')} acknowledged uploads, none lost; refused or broken meanwhile: ${refusalsOf(load)}`,
    `the roll-up of ${COMPARED} machines, ${compared} buckets, is what their readings say`,
  ];
}

/** @returns how many buckets were equal @throws Broken when one is not */
async function compareRollup(pool: Pool, streams: readonly number[]): Promise<number> {
  const whole = { from: 0, to: Date.now() + 86_400_000 };
  let compared = 0;
  for (const streamId of streams.slice(0, COMPARED)) {
    const readings = await readWindow(pool, streamId, whole);
    const expected = bucketsOf(readings, follow(readings), whole);
    const stored = await readBuckets(pool, streamId, [whole]);
    mustHold(
      stored.size === expected.size,
      `Stream ${streamId}: ${stored.size} buckets, not ${expected.size}.`,
    );
    for (const [start, bucket] of expected) {
      const { count, runningMs, outMj, inMj, distanceMm } = bucket;
      const there = stored.get(start);
      mustHold(
        JSON.stringify([count, runningMs, outMj, inMj, distanceMm]) ===
          JSON.stringify([there?.count, there?.runningMs, there?.outMj, there?.inMj, there?.distanceMm]),
        `Stream ${streamId}, bucket ${new Date(start).toISOString()}: not what its readings say.`,
      );
      compared += 1;
    }
  }
  return compared;
}
