/**
 * Cost of days, presences and charging sessions (docs/decisions/0034).
 *
 * 1. Batch ingest of 100 streams, 20 of them on a project, while the worker computes their days, compared with the same ingest without
 *    the worker.
 * 2. A project of 20 machines with 30 days at 0.1 Hz gets other areas: the time until all days are computed, alone and under the load
 *    of 1,000 loggers (100 uploads per second) and 200 pages; and the upload times during the change, compared with those of an
 *    equally long time without it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { startDayComputation } from '#server/day-figures/day-computation.ts';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { BenchContext } from './context.ts';
import { benchMachineSignals } from './fleet.ts';
import { fillHistory, HISTORY_DAYS } from './history-data.ts';
import { startLoadClient } from './load-client.ts';
import { createMachines, fetchTimed, openBenchDatabase, readingBatch, startBenchPortal } from './portal.ts';
import { type Bench, type BenchRow, rateRow, timeRow, wholeNumber } from './report.ts';
import { comparePairs, median, runInPairs } from './statistics.ts';

const STREAMS = 100;
const BATCH = 1_000;
const PAIRS = Number(process.env.DAY_FIGURES_PAIRS ?? 7);
/** Length of one measurement of the ingest: the worker that computes days runs twice in this time. */
const RUN_MS = 10_000;
const PAST_MS = 24 * 3_600_000;

const MACHINES = 20;
const LOGGERS = 1_000;
const CHANGES = Number(process.env.DAY_FIGURES_CHANGES ?? 5);
const COMPUTED_MS = 5_000;
/** Length of the load during which the project's areas are changed once. */
const LOAD_SECONDS = 15;
const P99_MS = 1_000;

export const dayFigures: Bench = async (context) => [
  await besideIngest(context),
  ...(await afterAnotherArea(context)),
];

async function besideIngest(context: BenchContext): Promise<BenchRow> {
  const { pool } = await openBenchDatabase(context, { DATA_DIR: await context.folder() });
  const streams = await createMachines(pool, STREAMS);
  await addProject(
    pool,
    streams.slice(0, MACHINES).map((_, n) => {
      const { LATITUDE: lat, LONGITUDE: lon } = benchMachineSignals(n, 0);
      return { centre: { lat, lon }, radiusMetres: 700 };
    }),
  );
  const firstMs = Date.now() - PAST_MS;
  await openPartitions(pool, Date.now).ensure([firstMs, Date.now()], undefined);

  let batches = 0;
  /** Returns the readings stored per second, counting only the time in storeReadings(). */
  async function alone(): Promise<number> {
    const began = performance.now();
    let [stored, took] = [0, 0];
    while (performance.now() - began < RUN_MS) {
      const batch = readingBatch(streams, BATCH, batches++, firstMs);
      const before = performance.now();
      await storeReadings(pool, batch);
      took += performance.now() - before;
      stored += BATCH;
      await wait(0); // lets the worker run, as between two batches
    }
    return (stored * 1000) / took;
  }
  async function withWorker(): Promise<number> {
    const warnings: string[] = [];
    const worker = startDayComputation(pool, (what, why) => warnings.push(`${what}: ${why}`), Date.now);
    const rate = await alone();
    await worker.close();
    if (warnings.length > 0) throw new Error(warnings[0]);
    return rate;
  }
  await withWorker();
  await alone();
  const comparison = comparePairs(await runInPairs(PAIRS, withWorker, alone));
  const { rows } = await pool.query('select from day_figures limit 1');
  if (rows.length === 0) throw new Error('The worker computed nothing.');
  return rateRow(
    `storing batches while days, presences and charging sessions of their ${STREAMS} streams are computed`,
    comparison,
    {
      unit: ' readings/s',
      beside: 'without that work',
      leastRatio: 0.85,
    },
  );
}

const addProject = (pool: Pool, areas: readonly unknown[]) =>
  pool.query(
    `insert into project (organization_id, name, first_day, areas)
     select id, 'Bench', '2026-01-01', $1 from organization where name = 'bench'`,
    [JSON.stringify(areas)],
  );

async function afterAnotherArea(context: BenchContext): Promise<BenchRow[]> {
  const portal = await startBenchPortal(context);
  const { pool } = portal;
  const all = await portal.machines(MACHINES + LOGGERS);
  const streams = all.slice(0, MACHINES).map(({ streamId }) => streamId);
  const organization = { name: 'neighbour', clean: 'Neighbour', isLmbCustomer: false };
  const values = [await createOrganization(pool, organization), streams];
  await pool.query('update ownership set organization_id = $1 where stream_id <> all ($2)', values);
  await fillHistory(context, portal, streams);
  const cookie = await portal.signIn();
  const client = startLoadClient(context);
  await addProject(pool, []);
  const { rows } = await pool.query<{ id: number }>('select id from project');
  let version = 1;

  /** Saves the project's areas with this radius, as the project page does. Returns the time until all days are computed, ms. */
  async function change(radiusMetres: number): Promise<number> {
    const began = performance.now();
    const project = {
      _id: rows[0]?.id,
      version,
      projectName: 'Bench',
      projectNumber: '',
      client: '',
      firstDay: '2026-01-01',
      lastDay: null,
      areas: streams.map((_, n) => ({ centre: { lat: 51.4, lon: 4.4 + 0.024 * n }, radiusMetres })),
    };
    ({ version } = JSON.parse((await fetchTimed(portal, cookie, '/api/project/edit', project)).text));
    while (await isLeft(pool, streams)) await wait(20);
    return performance.now() - began;
  }
  await computeUntilUpToDate(pool);
  await change(500); // the first change of a process is slower
  const alone: number[] = [];
  while (alone.length < CHANGES) alone.push(await change(510 + 10 * alone.length));
  context.log(`Changed and computed in ${wholeNumber(median(alone))} ms, without a load`);

  const load = () =>
    client.openLoop({
      port: portal.port,
      loggers: all.slice(MACHINES),
      seconds: LOAD_SECONDS,
      snapshotEveryMs: 10_000,
      pages: { count: 200, cookie },
    });
  await load();
  const times: number[] = [];
  const changing = async () => {
    const loaded = load();
    await wait(LOAD_SECONDS * 300);
    times.push(await change(600 + 100 * times.length));
    return loaded;
  };
  const pairs = await runInPairs(CHANGES, changing, load);
  const failed = pairs
    .flatMap(({ ours, reference }) => [ours, reference])
    .reduce((sum, one) => sum + one.snapshots.failed, 0);
  const p99 = comparePairs(
    pairs.map(({ ours, reference }) => ({
      ours: ours.snapshots.p99Ms,
      reference: reference.snapshots.p99Ms,
    })),
  );
  const what = `the areas of a project with ${MACHINES} machines and ${HISTORY_DAYS} days of data change`;
  return [
    timeRow(`${what}: time until all days are computed again, without load`, alone, COMPUTED_MS),
    timeRow(
      `${what}: time until all days are computed again, during 100 uploads/s and 200 open pages`,
      times,
      COMPUTED_MS,
    ),
    {
      what: `${what}: p99 of the uploads during that time`,
      measured: `${wholeNumber(p99.ours)} ms, ${failed} failed`,
      reference: `${wholeNumber(p99.reference)} ms without the change`,
      ratio: p99.ratio,
      toReach: `none failed, <= ${wholeNumber(P99_MS)} ms`,
      reached: failed === 0 && p99.ours <= P99_MS,
      details: [`pairs, ms: ${p99.rounds}`],
    },
  ];
}

async function isLeft(pool: Pool, streams: readonly number[]): Promise<boolean> {
  const { rows } = await pool.query<{ left: boolean }>(
    'select exists (select from changed_history where stream_id = any ($1)) as left',
    [streams],
  );
  return rows[0]?.left ?? false;
}
