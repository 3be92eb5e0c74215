/**
 * A Citus cluster loses a server under load: a worker for a minute, or the coordinator for 10 s. While a worker is down, uploads for the
 * other worker's shards continue. All shards accept uploads again after the server is back.
 */
import { signalCluster } from '#server/platform/postgres/test/postmaster-pid.ts';
import { findShards, shardOf } from '#server/platform/shards.ts';
import type { BenchContext } from '../context.ts';
import { type CitusCluster, portOf, queryOnce, startCitusCluster } from './citus-cluster.ts';
import type { ExternalCluster } from './external-cluster.ts';
import { assertInvariant, type Fault, type FaultResult, secondsText, sleep, waitUntil } from './fault.ts';
import { type FaultPortal, requireNoLoss, startFaultPortal } from './fault-portal.ts';
import { refusalsText, startSteadyLoad } from './steady-load.ts';

const GONE_MS = Number(process.env.FAULT_GONE_S ?? 60) * 1_000;
const COORDINATOR_GONE_MS = 10_000;
const LOGGERS = 96;
const SHARDS = 8;
const NOTICED_WITHIN_MS = 15_000;
const BACK_WITHIN_MS = 30_000;

export const clusterFaults: readonly Fault[] = [
  {
    name: `cluster: a worker killed, and gone for ${GONE_MS / 1000} s`,
    done: `Citus with two workers and ${SHARDS} shards: while ${LOGGERS} loggers upload, kill -9 of all processes of one worker, which is started again after ${GONE_MS / 1000} s`,
    holds: `uploads for the other worker's shards are accepted throughout; health returns 200 and within ${NOTICED_WITHIN_MS / 1000} s names the absent shards; no upload for these is acknowledged; all shards accept uploads within ${BACK_WITHIN_MS / 1000} s after the worker is back; every acknowledged upload is stored`,
    run: (context) => loseMachine(context, true),
  },
  {
    name: 'cluster: the coordinator killed',
    done: `Citus with two workers and ${SHARDS} shards: while ${LOGGERS} loggers upload, kill -9 of all processes of the coordinator, which is started again after ${COORDINATOR_GONE_MS / 1000} s`,
    holds: `health returns 503 and no upload is acknowledged until the coordinator is back; all shards accept uploads within ${BACK_WITHIN_MS / 1000} s after that; every acknowledged upload is stored`,
    run: (context) => loseMachine(context, false),
  },
];

async function loseMachine(context: BenchContext, isWorker: boolean): Promise<FaultResult> {
  const cluster = await startCitusCluster(context, 2);
  const portal = await startFaultPortal(context, await context.folder(), {
    DATABASE_URL: cluster.url,
    CELLS: String(SHARDS),
  });
  const loggers = await portal.loggers(LOGGERS);
  const firstSeconds = Math.floor(Date.now() / 1000) - 86_400;
  const lost = isWorker ? (cluster.workers[0] as ExternalCluster) : cluster.coordinator;
  const names = await portal.withDatabase(({ pool }) => findShards(pool));
  const absent = isWorker ? await shardsOn(cluster, lost) : names;
  assertInvariant(absent.length > 0, 'The worker has no shard.');
  const load = startSteadyLoad({ ports: [portal.port], loggers, firstSeconds });
  /** Returns the number of uploads acknowledged so far, per shard. */
  const counts = () => {
    const all = names.map(() => 0);
    for (const [streamId, own] of load.acknowledged)
      all[shardOf(streamId)] = (all[shardOf(streamId)] ?? 0) + own.length;
    return all;
  };
  const knows = async (expected: readonly string[]): Promise<boolean> =>
    isWorker
      ? `${await shardsAway(portal)}` === `${expected}`
      : (await portal.health()) === (expected.length > 0 ? 503 : 200);
  try {
    await waitUntil('1,000 uploads', 120_000, () => load.count() >= 1_000);
    await signalCluster(lost.pid(), 'SIGKILL');
    const goneAt = performance.now();
    await waitUntil('health knows', NOTICED_WITHIN_MS, () => knows(absent));
    const noticed = performance.now() - goneAt;
    const before = counts();
    while (performance.now() - goneAt < (isWorker ? GONE_MS : COORDINATOR_GONE_MS)) {
      await sleep(200);
      assertInvariant((await portal.health()) === (isWorker ? 200 : 503), 'Health changed meanwhile.');
    }
    const after = counts();
    const taken = names.map((name, n) => {
      const more = (after[n] ?? 0) - (before[n] ?? 0);
      assertInvariant(
        absent.includes(name) ? more === 0 : more > 0,
        `${more} uploads of ${name} were acknowledged.`,
      );
      return more;
    });

    await lost.start();
    const backAt = performance.now();
    await waitUntil('all shards take uploads', BACK_WITHIN_MS, () =>
      counts().every((count, n) => count > (after[n] ?? 0)),
    );
    const served = performance.now() - backAt;
    await waitUntil('health knows', 45_000, () => knows([]));
    await load.stop();
    await requireNoLoss(portal, load.acknowledged);
    return {
      rounds: 1,
      notes: [
        `${absent.length} of ${SHARDS} shards were absent, which health showed after ${secondsText(noticed)}; ${taken.reduce((sum, more) => sum + more, 0).toLocaleString('en-GB')} uploads for the other shards were accepted meanwhile; all shards accepted uploads ${secondsText(served)} after the server was back`,
        `${load.count().toLocaleString('en-GB')} acknowledged uploads, none lost; refused or broken: ${refusalsText(load)}`,
      ],
    };
  } finally {
    await load.stop();
  }
}

async function shardsOn({ url }: CitusCluster, worker: ExternalCluster): Promise<string[]> {
  const rows = await queryOnce<{ shard: string; port: number }>(
    url,
    `select distinct split_part(table_name::text, '.', 1) as shard, nodeport as port from citus_shards
     where table_name::text like 'telemetry%'`,
  );
  return rows
    .filter(({ port }) => port === portOf(worker))
    .map(({ shard }) => shard)
    .sort();
}

/** Returns the names of the absent shards from GET /api/health; undefined without a response 200. */
async function shardsAway({ address }: FaultPortal): Promise<string[] | undefined> {
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(`${address}/api/health`, { signal }).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  return ((await answer.json()) as { database: { cellsAway?: string[] } }).database.cellsAway;
}
