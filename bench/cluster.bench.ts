/**
 * Uploads through the portal to Citus of 1, 2 and 4 workers, all on this machine: what the coordinator does per upload, and whether any
 * statement needs more than one shard. The rate says nothing of a cluster here: its machines share these cores. The coordinator's processor
 * time per upload does: it is what has to stay the same however many workers there are.
 */
import { shardOf } from '#server/platform/shards.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { startBenchPortal } from './bench-portal.ts';
import { type CitusCluster, queryOnce, startCitusCluster } from './citus-cluster.ts';
import type { ExternalCluster } from './faults/external-cluster.ts';
import { Skipped } from './faults/fault.ts';
import { signalsOf } from './fleet.ts';
import { questionsOf } from './history-questions.ts';
import { startLoadClient } from './load-client.ts';
import { median } from './median.ts';
import { spentWithChildren } from './processor-time.ts';
import { type Bench, type Row, whole } from './row.ts';
import type { Workplace } from './workplace.ts';

const WORKERS = [1, 2, 4];
const SHARDS = 8;
const LOGGERS = 400;
const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_UPS = 4;
const SECONDS = 5;
const ASKED_MACHINES = 20;
/** Uploads in one group. */
const SIZES = [1, 5, 20, 50];
/** The same number of groups of each. */
const GROUPS = 400;
/** Of two medians of the same on a machine that is shared. */
const NOISE = 1.25;

type Measured = {
  readonly workers: number;
  readonly perSecond: number;
  /** Processor time per upload, µs, each round's. */
  readonly coordinator: readonly number[];
  readonly others: readonly number[];
  readonly single: number;
  readonly multi: number;
  /** Processor time of the coordinator per group, µs, by its size. */
  readonly group: ReadonlyMap<number, number>;
};

export const cluster: Bench = async (place) => {
  const all: Measured[] = [];
  try {
    for (const workers of WORKERS) all.push(await measure(place, workers));
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    return [
      {
        what: 'uploads to a cluster',
        measured: `skipped: ${error.message}`,
        reach: '–',
        reached: true,
        notes: [],
      },
    ];
  }
  const [first] = all as [Measured];
  const perUpload = SIZES.map((size) => `${size}: ${whole((all.at(-1)?.group.get(size) ?? 0) / size)} µs`);
  const rows = all.flatMap((one): Row[] => {
    const [own, reference] = [median(one.coordinator), median(first.coordinator)];
    return [
      {
        what: `cluster of ${one.workers} workers, ${SHARDS} shards: processor time of the coordinator per upload`,
        measured: `${whole(own)} µs`,
        reference: `${whole(reference)} µs with 1 worker`,
        ratio: own / reference,
        reach: `<= ${NOISE} x`,
        reached: own / reference <= NOISE,
        notes: [
          `each round, µs: ${one.coordinator.map(whole).join('  ')}; of the workers ${one.others.map(whole).join('  ')}`,
          `${whole(one.perSecond)} uploads/s, all machines of the cluster and the portal on these cores`,
        ],
      },
      {
        what: `cluster of ${one.workers} workers, ${SHARDS} shards: statements that needed more than one shard`,
        measured: `${whole(one.multi)} of ${whole(one.single + one.multi)}`,
        reach: '0',
        reached: one.multi === 0 && one.single > 0,
        notes: [],
      },
    ];
  });
  return [
    ...rows,
    {
      what: `cluster of ${WORKERS.at(-1)} workers, ${SHARDS} shards: processor time of the coordinator per upload, by how many are stored at once`,
      measured: perUpload.join(', '),
      reach: '–',
      reached: true,
      notes: [
        'a process that takes 4,000 uploads per second stores some 20 of a shard at once: 4 groups at a time, some 20 ms each',
        ...RATES.map((rate) => {
          const cores = (rate * ((all.at(-1)?.group.get(20) ?? 0) / 20)) / 1e6;
          return `${whole(rate)} uploads/s, ${whole(Math.ceil(rate / 4_000))} processes: ${cores.toFixed(1)} cores of the coordinator, as busy as they can be`;
        }),
      ],
    },
  ];
};

/** Uploads per second. */
const RATES = [10_000, 20_000, 100_000, 200_000, 1_000_000];

async function measure(place: Workplace, workers: number): Promise<Measured> {
  place.say(`Citus with ${workers} workers`);
  const citus = await startCitusCluster(place, workers);
  const portal = await startBenchPortal(place, {
    DATABASE_URL: citus.url.replace('//portal@', '//application@'),
    MIGRATION_DATABASE_URL: citus.url,
    CELLS: String(SHARDS),
  });
  const loggers = await portal.machines(LOGGERS);
  const client = startLoadClient(place);
  const firstSeconds = Math.floor(Date.now() / 1000) - 6 * 3600;
  let from = 0;
  let step = 0;
  let expectedRate = 3_000;
  async function run(seconds: number) {
    const count = Math.ceil(1.5 * expectedRate * seconds);
    const host = `127.0.0.1:${portal.port}`;
    await client.sign({ loggers, host, from, count, firstSeconds, signedAt: Date.now() });
    from += count;
    const before = await spentOf(citus);
    const result = await client.run(200, {
      port: portal.port,
      connections: CONNECTIONS,
      seconds,
      once: true,
    });
    const after = await spentOf(citus);
    expectedRate = Math.max(500, result.perSecond);
    const per = (side: 'coordinator' | 'workers') => ((after[side] - before[side]) * 1e6) / result.answered;
    place.say(
      `${whole(result.perSecond)}/s, coordinator ${whole(per('coordinator'))} µs, workers ${whole(per('workers'))} µs per upload`,
    );
    return { perSecond: result.perSecond, coordinator: per('coordinator'), others: per('workers') };
  }
  // Each of the coordinator's connections makes one to every worker, and plans what it has not planned yet.
  for (let n = 0; n < WARM_UPS; n++) await run(SECONDS);
  await queryOnce(citus.url, 'select citus_stat_counters_reset()');
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await run(SECONDS));
  const group = new Map<number, number>();
  // The write queue knows how its streams stand; here each group asks that first, in a statement more.
  const ofOneShard = loggers.filter(({ streamId }) => shardOf(streamId) === 0);
  for (const size of SIZES) {
    const before = await spentOf(citus);
    for (let n = 0; n < GROUPS; n++) {
      step += 1;
      await storeReadings(
        portal.pool,
        ofOneShard.slice(0, size).map(({ streamId }, place) => ({
          streamId,
          time: Date.now() + step * 1_000,
          signals: signalsOf(place, step),
        })),
      );
    }
    const spentOnIt = (await spentOf(citus)).coordinator - before.coordinator;
    group.set(size, (spentOnIt * 1e6) / GROUPS);
  }
  await ask(portal.address, await portal.signIn(), firstSeconds);
  const [counted] = await queryOnce<{ single: string; multi: string }>(
    citus.url,
    `select sum(query_execution_single_shard) as single, sum(query_execution_multi_shard) as multi from citus_stat_counters`,
  );
  return {
    workers,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    coordinator: rounds.map(({ coordinator }) => coordinator),
    others: rounds.map(({ others }) => others),
    single: Number(counted?.single),
    multi: Number(counted?.multi),
    group,
  };
}

/** What pages ask of machines' history. */
async function ask(address: string, cookie: string, firstSeconds: number): Promise<void> {
  const to = Date.now();
  for (const { path } of questionsOf({ from: firstSeconds * 1000, to }))
    for (let n = 0; n < ASKED_MACHINES; n++) {
      const answer = await fetch(`${address}${path(`BENCH-${n}`)}`, { headers: { cookie } });
      if (!answer.ok) throw new Error(`${path(`BENCH-${n}`)}: ${answer.status}`);
      await answer.arrayBuffer();
    }
}

/** Processor seconds of all processes of the coordinator and of the workers, those that have ended too. */
async function spentOf({
  coordinator,
  workers,
}: CitusCluster): Promise<{ coordinator: number; workers: number }> {
  const spent = ({ pid }: ExternalCluster) => spentWithChildren(pid());
  const others = await Promise.all(workers.map(spent));
  return { coordinator: await spent(coordinator), workers: others.reduce((sum, one) => sum + one, 0) };
}
