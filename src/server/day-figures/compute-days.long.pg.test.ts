import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStream, moveStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { sessionEndSql } from '#server/telemetry/session-end.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { noisyReadingsOfMovement } from '#shared/domain/test/noisy-ways.ts';
import { acceptDelivery, type ClockState } from '#shared/domain/test/oracle/accept.ts';
import { withDeliveryFaults } from '#shared/domain/test/oracle/faults.ts';
import {
  ORACLE_SEED_NUMBERS,
  Random,
  type RandomMachine,
  randomMachine,
} from '#shared/domain/test/oracle/random-machine.ts';
import { type RandomProjects, randomProjects } from '#shared/domain/test/oracle/random-projects.ts';
import { overlapOf } from '#shared/domain/test/oracle/track.ts';
import { computeDays } from './compute-days.ts';
import { findOutdatedStreams } from './day-figures.store.ts';
import { computeWithOracle, toPortalArea } from './test/computed-by-oracle.ts';

/** `npm run test:all` sets ORACLE_SEEDS for more machines, each computed more often. */
const IS_LONG = ORACLE_SEED_NUMBERS.length > 20;
/** Machine 92 has an ownership of a few seconds without data, between two with data. */
const MACHINES = [...new Set([...(IS_LONG ? ORACLE_SEED_NUMBERS : ORACLE_SEED_NUMBERS.slice(0, 4)), 92])];
const TIMES_COUNTED = IS_LONG ? 40 : 6;
/** All machines, and some of them again with faults in 1 % of their data. */
const ALL = [
  ...MACHINES.map((seed) => ['machine', seed] as const),
  ...(IS_LONG ? ORACLE_SEED_NUMBERS : ORACLE_SEED_NUMBERS.slice(0, 2)).map(
    (seed) => ['machine with faults', seed] as const,
  ),
];

let database: TestDatabase;
/** The owner with projects, and another owner. */
let owners: readonly [number, number];
beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organization (name, clean, code) values ('een', 'Een', '1'), ('twee', 'Twee', '2') returning id`,
  );
  owners = rows.map(({ id }) => id) as [number, number];
});
afterAll(() => database.drop());

type StoredReading = Reading & { readonly receivedAt: number };

async function newStream(serial: string, { ownership }: RandomMachine): Promise<number> {
  const streamId = await createStream(database.pool, 'machine', {
    serial,
    alias: 'x',
    organizationId: owners[0],
  });
  const lastTo = ownership.at(-1)?.to;
  const at = (ms: number) => (ms === lastTo ? 'infinity' : new Date(ms));
  await database.pool.query('delete from ownership where stream_id = $1', [streamId]);
  for (const { owner, from, to } of ownership)
    await database.pool.query(
      'insert into ownership (stream_id, organization_id, valid_from, valid_to) values ($1, $2, $3, $4)',
      [streamId, owners[owner === 0 ? 0 : 1], at(from), at(to)],
    );
  return streamId;
}

/** Stores the random projects. @returns the oracle's project ids, by the ids in the database */
async function newProjects(
  streams: readonly number[],
  { projects, assignments }: RandomProjects,
): Promise<Map<number, number>> {
  await database.pool.query(`update project set areas = '[]', last_day = first_day`);
  await database.pool.query('delete from assignment where stream_id = any ($1)', [streams]);
  const ids = new Map<number, number>();
  for (const { id, firstDay, lastDay, areas } of projects.toSorted((a, b) => a.id - b.id)) {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into project (organization_id, name, first_day, last_day, areas) values ($1, $2, $3, $4, $5) returning id`,
      [owners[0], `Project ${id}`, firstDay, lastDay, JSON.stringify(areas.map(toPortalArea))],
    );
    ids.set(rows[0]?.id as number, id);
  }
  await newTerreinen(projects);
  const ofTheirs = new Map([...ids].map(([mine, theirs]) => [theirs, mine]));
  for (const streamId of streams)
    for (const { project, from, to } of assignments)
      await database.pool.query(
        'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
        [ofTheirs.get(project), streamId, new Date(from), new Date(to)],
      );
  return ids;
}

/** Stores the areas and times of the projects as terreinen too, with names in the order of the projects. */
async function newTerreinen(projects: RandomProjects['projects']): Promise<void> {
  await database.pool.query('delete from terrein');
  for (const { id, during, areas } of projects)
    await database.pool.query(
      'insert into terrein (organization_id, name, counted_from, deleted_at, areas) values ($1, $2, $3, $4, $5)',
      [
        owners[0],
        terreinName(id),
        new Date(during.from),
        new Date(during.to),
        JSON.stringify(areas.map(toPortalArea)),
      ],
    );
}
const terreinName = (project: number): string => `Werf ${String(project).padStart(3, '0')}`;

async function countAll(): Promise<void> {
  for (
    let due = await findOutdatedStreams(database.pool, 100);
    due.length > 0;
    due = await findOutdatedStreams(database.pool, 100)
  )
    for (const streamId of due) await computeDays(database.pool, streamId);
}

const read = async <Row extends object>(sql: string, streamId: number): Promise<Row[]> =>
  (await database.pool.query<Row>(sql, [streamId, owners[0]])).rows;
const ms = (column: string) => `date_part('epoch', ${column}) * 1000`;

const figuresOf = (streamId: number) =>
  read<Record<string, unknown> & { project: number }>(
    `select day::text, project_id as project, count, running_ms::float8 as "runningMs", charging_ms::float8 as "chargingMs",
       idle_ms::float8 as "idleMs", out_mj::float8 as "outMj", in_mj::float8 as "fedBackMj", charged_mj::float8 as "chargedMj",
       distance_mm::float8 as "distanceMm", carried_mm::float8 as "carriedMm", heard_ms::float8 as "heardMs", known_ms::float8 as "knownMs",
       window_ms::float8 as "windowMs", window_heard_ms::float8 as "heardInWindowMs",
       ${ms('first_active')} as "first", ${ms('last_active')} as "last", ${ms('first_running')} as "firstRunning",
       ${ms('last_running')} as "lastRunning", ${ms('first_charging')} as "firstCharging", ${ms('last_charging')} as "lastCharging", soc_min as lowest, soc_max as highest
     from day_figures where stream_id = $1 and organization_id = $2
     order by day, (select created_at from project p where p.id = project_id) nulls first`,
    streamId,
  );
const presencesOf = (streamId: number) =>
  read<Range & { project: number; by: string; unseenMs: number }>(
    `select ${ms('from_time')} as "from", ${ms('to_time')} as "to", project_id as project,
       case when by_hand then 'hand' else 'position' end as by, unseen_ms::float8 as "unseenMs"
     from presence where stream_id = $1 and $2::integer is not null order by from_time`,
    streamId,
  );
const terreinPresencesOf = (streamId: number) =>
  read<Range & { name: string }>(
    `select ${ms('from_time')} as "from", ${ms('to_time')} as "to", t.name
     from terrein_presence p join terrein t on t.id = p.terrein_id
     where stream_id = $1 and $2::integer is not null order by from_time`,
    streamId,
  );
const sessionsOf = (streamId: number) =>
  read<Record<string, unknown>>(
    `select ${ms('from_time')} as "from", ${ms('to_time')} as "to", charging_ms::float8 as "chargingMs", full_ms::float8 as "fullMs",
       charged_mj::float8 as "chargedMj", highest_watts as "highestWatts", soc_from as begin, soc_to as end, c.latitude as lat,
       c.longitude as lon, ${sessionEndSql('l.time')} as ended, ${sessionEndSql("(l.time + interval '10 minutes')")} as "endedInSilence"
     from charging_session c join latest l using (stream_id) where stream_id = $1 and exists (
       select from ownership o where o.stream_id = c.stream_id and o.organization_id = $2
         and c.from_time >= o.valid_from and c.from_time < o.valid_to
     ) order by from_time`,
    streamId,
  );

/** Returns the accepted readings of a machine in order of arrival, in this many parts. */
function partsOf({ batches }: RandomMachine, count: number): StoredReading[][] {
  const clocks: ClockState = new Map();
  const parts: StoredReading[][] = Array.from({ length: count }, () => []);
  for (const [n, batch] of batches.entries())
    for (const delivery of batch) {
      const result = acceptDelivery(delivery, clocks);
      if ('reading' in result)
        parts[Math.floor((n * count) / batches.length)]?.push({
          ...result.reading,
          receivedAt: result.received,
        });
    }
  return parts;
}

async function areAs(
  streams: readonly number[],
  machine: RandomMachine,
  projects: RandomProjects,
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const expected = computeWithOracle(machine, projects);
  const named = <Row extends { project: number }>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, project: row.project && (ids.get(row.project) ?? -1) }));
  for (const streamId of streams) {
    const there = named(await presencesOf(streamId)).flatMap((one) => {
      const part = overlapOf(one, expected.span);
      return part ? [{ ...one, ...part }] : [];
    });
    expect(there).toEqual(expected.presences);
    const onTerreinen = (await terreinPresencesOf(streamId)).flatMap((one) => {
      const part = overlapOf(one, expected.span);
      return part ? [{ ...one, ...part }] : [];
    });
    const { presences } = computeWithOracle(machine, { ...projects, assignments: [] });
    expect(onTerreinen).toEqual(
      presences.map(({ from, to, project }) => ({ from, to, name: terreinName(project) })),
    );
    expect(await sessionsOf(streamId)).toEqual(expected.sessions);
    expect(named(await figuresOf(streamId))).toEqual(expected.days);
  }
}

test.each(ALL)(
  'days, presences and sessions equal the oracle’s for any order of arrival: %s %i (14.2a, 14.2v, 52.6, 52.11, 53.12)',
  async (kind, seed) => {
    const drawn = randomMachine(seed, { size: 250 });
    const machine = kind === 'machine' ? drawn : withDeliveryFaults(drawn);
    const projects = randomProjects(machine);
    await openPartitions(database.pool, () => 0).ensure(
      machine.stored.map(({ time }) => time),
      undefined,
    );
    const slowly = await newStream(`${kind} ${seed}-a`, machine);
    const atOnce = await newStream(`${kind} ${seed}-b`, machine);
    const streams = [atOnce, slowly];
    const ids = await newProjects(streams, projects);
    const store = (streamId: number, readings: readonly StoredReading[]) =>
      storeReadings(
        database.pool,
        readings.map((one) => ({ ...one, streamId })),
      );
    const parts = partsOf(machine, TIMES_COUNTED);
    for (const part of parts) {
      await store(slowly, part);
      await computeDays(database.pool, slowly);
    }
    await store(atOnce, parts.flat());
    await countAll();
    await areAs(streams, machine, projects, ids);

    // All projects end and others replace them.
    const others = randomProjects({ ...machine, seed: seed + 500 });
    const otherIds = await newProjects(streams, others);
    for (const streamId of streams)
      await database.pool.query(
        'insert into changed_history (stream_id, from_time, only_presence) values ($1, $2, true)',
        [streamId, new Date(0)],
      );
    await countAll();
    await areAs(streams, machine, others, otherIds);

    // Recomputing whole days, not only presences, gives the same figures.
    const figures = async () =>
      Promise.all(streams.map(async (one) => [await presencesOf(one), await figuresOf(one)]));
    const shortly = await figures();
    for (const streamId of streams)
      await database.pool.query('insert into changed_history (stream_id, from_time) values ($1, $2)', [
        streamId,
        new Date(0),
      ]);
    await countAll();
    expect(await figures()).toEqual(shortly);

    const sold = soldOf(machine);
    for (const streamId of streams)
      await moveStream(database.pool, streamId, owners[sold.owner === 0 ? 0 : 1], new Date(sold.at));
    await countAll();
    await areAs(streams, { ...machine, ownRanges: sold.ownRanges }, others, otherIds);
  },
);

const DAY_MS = 86_400_000;

/**
 * Returns a machine beside a hall: it stands still for two days except for some moves of up to 300 m, and its receiver
 * wanders by 30 m.
 */
function wanderer(seed: number): Pick<RandomMachine, 'stored' | 'ownership' | 'ownRanges'> {
  const random = new Random(seed);
  const moves = Array.from({ length: 5 }, () => ({
    atS: random.whole(0, 40 * 3600),
    metres: random.between(-300, 300),
  })).sort((a, b) => a.atS - b.atS);
  const stored = noisyReadingsOfMovement(
    { seconds: 40 * 3600, at: (s) => [moves.findLast(({ atS }) => atS <= s)?.metres ?? 0, 0] },
    { ...{ sigma: 30, memoryS: 600, seed }, everyS: random.pick([60, 120, 240]) },
  );
  const from = (stored[0]?.time ?? 0) - DAY_MS;
  const to = (stored.at(-1)?.time ?? 0) + DAY_MS;
  return {
    stored,
    ownership: [{ owner: 0, from, to }],
    ownRanges: [{ from, to: Number.POSITIVE_INFINITY }],
  };
}

test.each([1, 2, 3])(
  'presences of a machine whose receiver wanders equal the oracle’s for any order of its readings: %i (52.8)',
  async (seed) => {
    const machine = { ...randomMachine(1, { size: 1 }), ...wanderer(seed) };
    const random = new Random(seed + 100);
    const projects = [1, 2, 3].map((id) => ({
      ...{ id, firstDay: '2026-05-01', lastDay: '2026-06-30' },
      during: { from: Date.UTC(2026, 3, 30, 22), to: Date.UTC(2026, 5, 30, 22) },
      areas: [
        {
          ...{ kind: 'circle' as const, radius: random.pick([50, 80, 200]) },
          centre: { lat: 52 + random.between(-0.001, 0.001), lon: 5 + random.between(-0.003, 0.003) },
        },
      ],
    }));
    await openPartitions(database.pool, () => 0).ensure(
      machine.stored.map(({ time }) => time),
      undefined,
    );
    const streamId = await newStream(`wander-${seed}`, machine);
    const ids = await newProjects([streamId], { projects, assignments: [] });
    const readings = machine.stored.map((one) => ({ ...one, streamId, receivedAt: one.time }));
    // Most readings arrive in order, and those of a few hours arrive after all others.
    const hourOf = ({ time }: Reading): number => Math.floor(time / 3_600_000);
    const late = new Set(readings.map(hourOf).filter(() => random.chance(0.02)));
    const inOrder = readings.filter((one) => !late.has(hourOf(one)));
    const halfway = inOrder.length >> 1;
    for (const part of [
      inOrder.slice(0, halfway),
      inOrder.slice(halfway),
      ...[...late].map((hour) => readings.filter((one) => hourOf(one) === hour)),
    ]) {
      await storeReadings(database.pool, part);
      await computeDays(database.pool, streamId);
    }
    await countAll();
    expect(late.size).toBeGreaterThan(2);
    expect((await presencesOf(streamId)).length).toBeGreaterThan(0);
    await areAs([streamId], machine, { projects, assignments: [] }, ids);
  },
);

/** Returns the machine with one more sale, in the middle of the last ownership. `ownRanges` are the times of owner 0. */
function soldOf({ stored, ownership, ownRanges }: RandomMachine) {
  const last = ownership.at(-1);
  const from = last?.from ?? 0;
  const own = stored.filter(({ time }) => time >= from);
  const at = (own[own.length >> 1]?.time ?? from) + 1;
  const ofOurs = ownRanges.map((one) => (one.from === from ? { from, to: at } : one));
  return last?.owner === 0
    ? { owner: 1, at, ownRanges: ofOurs }
    : { owner: 0, at, ownRanges: [...ownRanges, { from: at, to: Number.POSITIVE_INFINITY }] };
}
