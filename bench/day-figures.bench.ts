/**
 * What days, presences and charging sessions cost (docs/decisions/0034).
 *
 * 1. Batch ingest as in ingest.bench.ts while the worker counts the same 100 streams, 20 of them on a project, beside the same
 *    without the worker and with a roll-up that stores none of the columns that only they need. What TypeScript does for those columns
 *    is in both: the version before them could not be told from this one (15 pairs of 40,000 readings on a busy machine, processor time
 *    0.92 x in Node and 0.96 x in PostgreSQL).
 * 2. A project of 20 machines gets other areas, over 30 days at 0.1 Hz: until all of it is counted, alone and with the requests of 1,000
 *    loggers (100 uploads per second) and 200 pages going on; and the uploads beside those of as long a time without it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { startDayCounting } from '#server/day-figures/day-counting.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { openDatabase } from '#server/open-database.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { startBenchPortal } from './bench-portal.ts';
import { STEP_SECONDS, signalsOf } from './fleet.ts';
import { DAYS, fillHistory } from './history-data.ts';
import { startHelper } from './load-client.ts';
import { median } from './median.ts';
import { compare, inPairs } from './pairs.ts';
import { type Bench, type Row, whole } from './row.ts';
import { runLoad } from './soak.bench.ts';
import type { SoakResult } from './soak-load.ts';
import type { Workplace } from './workplace.ts';

const STREAMS = 100;
const BATCH = 1_000;
const PAIRS = 7;
/** Of a run: two rounds of the worker. */
const RUN_MS = 10_000;
const REACH = 0.85;
const PAST_MS = 24 * 3_600_000;

const MACHINES = 20;
const LOGGERS = 1_000;
const RECOUNTS = 5;
const RECOUNT_MS = 5_000;
/** Of the load around one recount. */
const LOAD_SECONDS = 15;

export const dayFigures: Bench = async (place) => [
  await besideIngest(place),
  ...(await afterAnotherArea(place)),
];

async function besideIngest(place: Workplace): Promise<Row> {
  const config = readConfig({ DATA_DIR: await place.folder() });
  const { pool, owner, close } = await openDatabase(config, pino({ level: 'warn' }));
  place.onClose(close);
  const streams = await makeStreams(pool);
  const firstMs = Date.now() - PAST_MS;
  await openPartitions(pool, Date.now).ensure([firstMs, Date.now()], undefined);

  let done = 0;
  /** Readings per second of the time that storing took. */
  async function run(): Promise<number> {
    const began = performance.now();
    let [stored, took] = [0, 0];
    while (performance.now() - began < RUN_MS) {
      const batch = batchOf(streams, done++, firstMs);
      const before = performance.now();
      await storeReadings(pool, batch);
      took += performance.now() - before;
      stored += BATCH;
      // As between two batches that come in: others have their turn.
      await wait(0);
    }
    return (stored * 1000) / took;
  }
  const complete = await storeFunction(owner);
  const without = withoutColumns(complete);
  async function withWorker(): Promise<number> {
    await owner.query(complete);
    const warnings: string[] = [];
    const worker = startDayCounting(pool, (what, why) => warnings.push(`${what}: ${why}`), Date.now);
    const rate = await run();
    await worker.close();
    if (warnings.length > 0) throw new Error(warnings[0]);
    return rate;
  }
  async function alone(): Promise<number> {
    await owner.query(without);
    return run();
  }
  await withWorker();
  await alone();
  const { ours, reference, ratio, rounds } = compare(
    await inPairs(PAIRS, withWorker, alone),
    (perSecond) => perSecond,
  );
  await checkCounted(pool);
  return {
    what: `batch ingest, ${whole(BATCH)} readings of ${STREAMS} streams, while their days, presences and sessions are counted`,
    measured: `${whole(ours)} readings/s`,
    reference: `${whole(reference)} readings/s without`,
    ratio,
    reach: `>= ${REACH} x`,
    reached: ratio >= REACH,
    notes: [`pairs, readings per second: ${rounds}`],
  };
}

const NEW_COLUMNS = ['full_ms', 'charge_watts', 'south', 'west', 'north', 'east'];

async function storeFunction(owner: Pool): Promise<string> {
  const { rows } = await owner.query<{ text: string }>(
    `select pg_get_functiondef('store_readings'::regproc) as text`,
  );
  return rows[0]?.text ?? '';
}

/** Takes the values, and stores all but those of the new columns. @throws when the function has become another one */
function withoutColumns(text: string): string {
  const [head = '', insert = '', values = '', update = ''] = text.split(
    /(?=insert into public\.rollup as r)|(?=\n {2}from unnest\(bucket_stream)|(?=on conflict)/,
  );
  const less = NEW_COLUMNS.reduce(
    (left, column) => left.replaceAll(new RegExp(`, ${column}\\b`, 'g'), ''),
    insert,
  );
  const kept = NEW_COLUMNS.reduce(
    (left, column) => left.replace(new RegExp(`\\b${column} = [^=]*excluded\\.${column}\\)?,\\s*`), ''),
    update,
  );
  if (update === '' || new RegExp(`\\b(?:${NEW_COLUMNS.join('|')})\\b`).test(less + kept))
    throw new Error('store_readings is not what this bench knows.');
  return head + less + values + kept;
}

/** Batch `n`: the next readings of every stream, in the order of time. */
function batchOf(streams: readonly number[], n: number, firstMs: number) {
  const perStream = BATCH / STREAMS;
  return Array.from({ length: BATCH }, (_, i) => {
    const machine = i % STREAMS;
    const step = n * perStream + Math.floor(i / STREAMS);
    const time = firstMs + step * STEP_SECONDS * 1000;
    return { streamId: streams[machine] as number, time, signals: signalsOf(machine, step) };
  });
}

/** Machines, and a project with an area round each of the first 20. */
function makeStreams(pool: Pool): Promise<number[]> {
  return inTransaction(pool, async (client) => {
    const organizationId = await createOrganization(client, {
      name: 'bench',
      clean: 'Bench',
      isLmbCustomer: false,
    });
    const streams: number[] = [];
    for (let n = 0; n < STREAMS; n++)
      streams.push(
        await createMachine(client, {
          serial: `BENCH-${n}`,
          alias: `Machine ${n}`,
          organizationId,
          brand: 'Volta',
          model: 'EX-14',
          macaddress: '',
          batteries: [],
          accessories: [],
          initialHours: 0,
        }),
      );
    const areas = Array.from({ length: MACHINES }, (_, n) => {
      const { LATITUDE: lat, LONGITUDE: lon } = signalsOf(n, 0);
      return { centre: { lat, lon }, radiusMetres: 700 };
    });
    await addProject(client, organizationId, areas);
    return streams;
  });
}

const addProject = (db: Pick<Pool, 'query'>, organizationId: number, areas: readonly unknown[]) =>
  db.query(
    `insert into project (organization_id, name, first_day, areas) values ($1, 'Bench', '2026-01-01', $2)`,
    [organizationId, JSON.stringify(areas)],
  );

/** @throws when nothing was counted meanwhile */
async function checkCounted(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ days: number; presences: number; sessions: number }>(
    `select (select count(*)::integer from day_figures) as days, (select count(*)::integer from presence) as presences,
       (select count(*)::integer from charging_session) as sessions`,
  );
  const { days = 0, presences = 0, sessions = 0 } = rows[0] ?? {};
  if (days < MACHINES || presences === 0 || sessions === 0)
    throw new Error(`Nothing was counted: ${JSON.stringify(rows[0])}`);
}

async function afterAnotherArea(place: Workplace): Promise<Row[]> {
  const portal = await startBenchPortal(place);
  const { pool } = portal;
  const all = await portal.machines(MACHINES + LOGGERS);
  const streams = all.slice(0, MACHINES).map(({ streamId }) => streamId);
  const loggers = all.slice(MACHINES);
  const { rows } = await pool.query<{ id: number }>(`select id from organization where name = 'bench'`);
  const neighbour = await createOrganization(pool, {
    name: 'neighbour',
    clean: 'Neighbour',
    isLmbCustomer: false,
  });
  await pool.query('update ownership set organization_id = $1 where stream_id <> all ($2)', [
    neighbour,
    streams,
  ]);
  place.say(`Making ${DAYS} days at 0.1 Hz of ${MACHINES} machines`);
  await fillHistory(portal, streams, place.say);
  const cookie = await portal.signIn();
  const client = startHelper(place, './soak-process.ts');

  await addProject(pool, rows[0]?.id as number, []);
  const { rows: projects } = await pool.query<{ id: number }>('select id from project');
  let version = 1;
  /** ms until all is counted after areas of another size were saved; the page of the portal does the same. */
  async function change(radiusMetres: number): Promise<number> {
    const began = performance.now();
    const answer = await fetch(`${portal.address}/api/project/edit`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'x-requested-with': 'bench' },
      body: JSON.stringify({
        _id: projects[0]?.id,
        version,
        projectName: 'Bench',
        projectNumber: '',
        client: '',
        firstDay: '2026-01-01',
        lastDay: null,
        areas: streams.map((_, n) => ({ centre: { lat: 51.4, lon: 4.4 + 0.024 * n }, radiusMetres })),
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    ({ version } = (await answer.json()) as { version: number });
    while (await isLeft(pool, streams)) await wait(20);
    return performance.now() - began;
  }
  await waitUntilCounted(pool, streams);
  await change(500); // the first of a process
  const alone: number[] = [];
  while (alone.length < RECOUNTS) alone.push(await change(510 + 10 * alone.length));
  place.say(`changed and counted in ${whole(median(alone))} ms, without a load`);

  const order = { port: portal.port, livePath: '/api/live', cookie, loggers, seconds: LOAD_SECONDS };
  await runLoad(client, order);
  const times: number[] = [];
  const pairs = await inPairs(
    RECOUNTS,
    async () => {
      const loaded = runLoad(client, order);
      await wait(LOAD_SECONDS * 300);
      times.push(await change(600 + 100 * times.length));
      return loaded;
    },
    () => runLoad(client, order),
  );
  const { ours, reference, rounds } = compare(pairs, ({ uploads }) => uploads.p99Ms);
  const failed = pairs.reduce(
    (sum, pair) => sum + failures(pair.ours.uploads) + failures(pair.reference.uploads),
    0,
  );
  const what = `project of ${MACHINES} machines x ${DAYS} days at 0.1 Hz gets other areas`;
  return [
    {
      what: `${what}: until all is counted, with nothing else going on`,
      measured: `${whole(median(alone))} ms`,
      reach: `<= ${whole(RECOUNT_MS)} ms`,
      reached: median(alone) <= RECOUNT_MS,
      notes: [`each, ms: ${alone.map(whole).join('  ')}`],
    },
    {
      what: `${what}: until all is counted, beside 100 uploads/s and 200 pages`,
      measured: `${whole(median(times))} ms`,
      reach: `<= ${whole(RECOUNT_MS)} ms`,
      reached: median(times) <= RECOUNT_MS,
      notes: [`each, ms: ${times.map(whole).join('  ')}`],
    },
    {
      what: `${what}: p99 of uploads meanwhile`,
      measured: `${ours.toFixed(1)} ms, ${failed} failed`,
      reference: `${reference.toFixed(1)} ms without`,
      ratio: ours / reference,
      reach: `none failed, <= ${MOST_P99_MS} ms`,
      reached: failed === 0 && ours <= MOST_P99_MS,
      notes: [`pairs, p99 ms of ${LOAD_SECONDS} s: ${rounds}`],
    },
  ];
}

/** As the soak asks: a tenth of the time between two uploads of a logger. */
const MOST_P99_MS = 1_000;

const failures = ({ sent, answers }: SoakResult['uploads']): number => sent - (answers['200'] ?? 0);

async function isLeft(pool: Pool, streams: readonly number[]): Promise<boolean> {
  const { rows } = await pool.query<{ left: boolean }>(
    'select exists (select from changed_history where stream_id = any ($1)) as left',
    [streams],
  );
  return rows[0]?.left ?? false;
}

/** The worker has seen all of it once. */
export async function waitUntilCounted(pool: Pool, streams: readonly number[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ left: boolean }>(
      `select exists (select from day_cursor c join latest l on l.stream_id = c.stream_id
         where c.stream_id = any ($1) and c.counted_at is distinct from l.updated_at) as left`,
      [streams],
    );
    if (!rows[0]?.left && !(await isLeft(pool, streams))) return;
    await wait(200);
  }
}
