/**
 * Queries on one machine's history (docs/performance.md): 100 machines (or HISTORY_MACHINES) with 30 days at 0.1 Hz. Queries go
 * to the portal over HTTP, each time for another machine. Reference: the same query on the raw rows in SQL by this process. The limits
 * of p95 are ratios too: 20 ms if the raw rows take 2,000 ms, and 100 ms for a path whose rows take 2,500 ms
 * (docs/decisions/0054-benchmark-targets-as-ratios.md). Then closes all weeks and repeats the queries, whose results must be the same.
 */
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Pool } from '#server/platform/database.ts';
import { closeWeeks } from '#server/telemetry/readings/close-weeks.ts';
import { shrinkWeek } from '#server/telemetry/readings/shrink-weeks.ts';
import type { BenchContext } from './context.ts';
import { fillHistory, HISTORY_DAYS, HISTORY_MACHINES } from './history-data.ts';
import { type BenchPortal, fetchTimed, startBenchPortal } from './portal.ts';
import { type Bench, type BenchRow, wholeNumber } from './report.ts';
import { type MeasuredPair, median, percentile, runInPairs } from './statistics.ts';

/**
 * PAIRS: number of pairs with the reference (which takes seconds), after a first pair that does not count. ALONE: number of queries to
 * the portal alone, for p95.
 */
const PAIRS = 9;
const ALONE = 100;
const DAY_MS = 24 * 3_600_000;

type Client = Pick<Pool, 'query'>;
type Question = {
  readonly what: string;
  path(serial: string): string;
  raw(client: Client, streamId: number): Promise<unknown>;
  /** @throws if the results differ */
  check(ours: unknown, raw: unknown): void;
  /** Largest allowed ratio to the reference: for the median of the pairs, and for p95 of the portal alone. */
  readonly mostRatio?: number;
  readonly mostRatio95?: number;
};

export const history: Bench = async (context) => {
  const portal = await startBenchPortal(context);
  const holder = await portal.pool.connect();
  context.onClose(async () => holder.release(true));
  // Holds the lock that the portal's own timer needs to close weeks, because this benchmark closes them itself, later.
  await holder.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_KEYS.closedReadings]);
  const streams = (await portal.machines(HISTORY_MACHINES)).map(({ streamId }) => streamId);
  const range = await fillHistory(context, portal, streams);
  const cookie = await portal.signIn();
  const client = await portal.pool.connect();
  context.onClose(async () => client.release());

  const rows: BenchRow[] = [];
  const references = new Map<Question, number>();
  const answers = new Map<string, string>();
  const questions = questionsAbout(range);
  for (const question of questions) {
    const ask = (n: number) => fetchTimed(portal, cookie, question.path(`BENCH-${n % HISTORY_MACHINES}`));
    // The two measurements of a pair query the same machine. They alternate in which runs first, because the second finds the
    // machine's database pages in memory.
    let asked = 0;
    const next = () => Math.floor(asked++ / 2) % HISTORY_MACHINES;
    const askRaw = async (): Promise<Timed> => {
      const began = performance.now();
      const raw = await question.raw(client, streams[next()] as number);
      return { ms: performance.now() - began, raw };
    };
    const [, ...pairs] = await runInPairs<Timed>(PAIRS + 1, () => ask(next()), askRaw);
    for (const { ours, reference } of pairs) question.check(JSON.parse(ours.text as string), reference.raw);
    // Only the second hundred queries count: reading the raw rows has displaced all other pages from the database's memory, and the
    // first hundred queries load them again.
    collectGarbage();
    const hundred: number[] = [];
    for (let n = 0; n < 2 * ALONE; n++) hundred.push((await ask(PAIRS + 1 + n)).ms);
    references.set(question, median(pairs.map(({ reference }) => reference.ms)));
    for (let n = 0; n < Math.min(CHECKED, HISTORY_MACHINES); n++)
      answers.set(question.path(`BENCH-${n}`), (await ask(n)).text);
    rows.push(rowOf(question, pairs, hundred.slice(0, ALONE), hundred.slice(ALONE)));
    context.log(`${question.what}: ${rows.at(-1)?.measured}`);
  }
  collectGarbage();
  rows.push(...(await closeAll(context, portal, streams[0] as number)));
  for (const question of questions) {
    for (const [path, text] of answers)
      if (path === question.path(serialIn(path)) && (await fetchTimed(portal, cookie, path)).text !== text)
        throw new Error(`${path} has another answer since its weeks are closed.`);
    const ask = (n: number) => fetchTimed(portal, cookie, question.path(`BENCH-${n % HISTORY_MACHINES}`));
    const times: number[] = [];
    for (let n = 0; n < 2 * ALONE; n++) times.push((await ask(n)).ms);
    rows.push(closedRow(question, references.get(question) as number, times.slice(ALONE)));
    context.log(`${rows.at(-1)?.what}: ${rows.at(-1)?.measured}`);
  }
  return rows;
};

/**
 * Collects up to 600 MB of garbage that the raw rows left in this process. Without this call, garbage collections would slow the later
 * measurements, because this process also reads the portal's responses and closes the weeks.
 */
const collectGarbage = (): void => globalThis.gc?.();

/** Number of machines whose query results before the weeks are closed are compared with those afterwards. */
const CHECKED = 5;
const serialIn = (path: string): string => /BENCH-\d+/.exec(path)?.[0] ?? '';

/** InfluxDB's bytes per reading of this data, measured on another computer on 2026-11-27. */
const INFLUX_BYTES = 18.6;

/** Closes all weeks. @returns result rows: bytes per reading, and readings closed per second */
async function closeAll(
  context: BenchContext,
  { pool, owner }: BenchPortal,
  streamId: number,
): Promise<BenchRow[]> {
  const before = await sizesOf(pool);
  const began = performance.now();
  let readings = 0;
  for await (const step of closeWeeks(pool, Number.POSITIVE_INFINITY)) readings += step.rows;
  const seconds = (performance.now() - began) / 1000;
  const client = await owner.connect();
  while (await shrinkWeek(client, Number.POSITIVE_INFINITY));
  client.release(true);
  const after = await sizesOf(pool);
  const { rows } = await pool.query<{ bytes: number; readings: number }>(
    'select sum(length(content))::float8 as bytes, sum(readings)::float8 as readings from reading_file where stream_id = $1',
    [streamId],
  );
  const [one] = rows;
  context.log(`${wholeNumber(readings)} readings closed, ${wholeNumber(seconds)} s`);
  const perReading = (bytes: number) => bytes / readings;
  const row = (what: string, bytes: number, reference: number, most: number): BenchRow => ({
    what,
    measured: `${perReading(bytes).toFixed(1)} bytes per reading`,
    reference: `${perReading(reference).toFixed(1)} as rows; ${INFLUX_BYTES} in InfluxDB on 2026-11-27`,
    ratio: bytes / reference,
    toReach: `<= ${(most * INFLUX_BYTES).toFixed(1)}: ${most} x InfluxDB`,
    reached: perReading(bytes) <= most * INFLUX_BYTES,
  });
  return [
    {
      ...row('disk space of closed weeks: readings', after.readings, before.readings, 0.8),
      details: [
        `content of one machine's files: ${((one?.bytes ?? 0) / (one?.readings ?? 1)).toFixed(2)} bytes per reading`,
      ],
    },
    row('disk space of closed weeks: readings, roll-up, days and indexes', after.all, before.all, 2),
    {
      what: 'moving readings of closed weeks into files, one thread',
      measured: `${wholeNumber(readings / seconds)} readings/s`,
      toReach: '',
      reached: true,
    },
  ];
}

async function sizesOf(pool: Pool): Promise<{ readonly readings: number; readonly all: number }> {
  const { rows } = await pool.query<{ readings: number; all: number }>(
    `select sum(pg_total_relation_size(c.oid)) filter (where c.relname ~ '^reading')::float8 as readings,
       sum(pg_total_relation_size(c.oid))::float8 as "all"
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname ~ '^(reading|rollup|day_|latest)'`,
  );
  return rows[0] as { readings: number; all: number };
}

/** Returns the result row of a query on closed weeks, which has no target. Its reference is the query on raw rows before closing. */
function closedRow({ what }: Question, reference: number, times: readonly number[]): BenchRow {
  return {
    what: `${what}, in closed weeks`,
    measured: `median ${median(times).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
    reference: `${reference.toFixed(1)} ms from raw rows, before the weeks were closed`,
    ratio: median(times) / reference,
    toReach: '',
    reached: true,
    details: [`ms: ${times.map((ms) => ms.toFixed(1)).join(' ')}`],
  };
}

type Timed = { readonly ms: number; readonly text?: string; readonly raw?: unknown };

function rowOf(
  question: Question,
  pairs: readonly MeasuredPair<Timed>[],
  first: number[],
  again: number[],
): BenchRow {
  const { what, mostRatio = 1_000, mostRatio95 = 1_000 } = question;
  const reference = median(pairs.map((pair) => pair.reference.ms));
  const ratio = median(pairs.map((pair) => pair.ours.ms / pair.reference.ms));
  const p95 = percentile(again, 0.95);
  const toReach = [
    ...(question.mostRatio === undefined ? [] : [`<= ${mostRatio} x`]),
    ...(question.mostRatio95 === undefined
      ? []
      : [`p95 <= ${mostRatio95} x: ${(mostRatio95 * reference).toFixed(1)} ms`]),
  ];
  const listed = (times: readonly number[]) => times.map((ms) => ms.toFixed(1)).join(' ');
  return {
    what: `${what}, one of ${HISTORY_MACHINES} machines with ${HISTORY_DAYS} days at 0.1 Hz`,
    measured: `median ${median(again).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    reference: `${reference.toFixed(1)} ms from raw rows`,
    ratio,
    toReach: toReach.join(', '),
    reached: ratio <= mostRatio && p95 <= mostRatio95 * reference,
    details: [
      `pairs, ms: ${pairs.map((pair) => `${pair.ours.ms.toFixed(1)}/${pair.reference.ms.toFixed(1)}`).join('  ')}`,
      `alone, after the raw rows, ms: ${listed(first)}`,
      `alone again, ms: ${listed(again)}`,
    ],
  };
}

/**
 * SQL for the readings of a range, each with all signals and `ms` (the time until the next reading, or 0 if that exceeds 5 minutes),
 * `watts` (its power) and `charges`.
 */
const STEPS = `select *, battery_current * coalesce(battery_voltage, 700) as watts,
    coalesce(coalesce(is_charging, (rest ->> 'IsCharging1')::float8) >= 1 and charging_current > 1, false) as charges
  from (
    select *, case when next - time <= interval '5 minutes' then date_part('epoch', next - time) * 1000 else 0 end as ms
    from (select *, lead(time) over (order by time) as next from reading where stream_id = $1 and time >= $2 and time < $3) as r
  ) as held`;
const HOURS = `select sum(ms) filter (where motor_speed > 150) / 3600000 as answer from (${STEPS}) as step`;
const BACK = `select sum(-watts * ms) filter (where watts < 0 and not charges) / 3600000000 as answer from (${STEPS}) as step`;
const POWER = `select sum(watts * ms) / sum(ms) / 1000 as answer from (${STEPS}) as step where motor_speed > 150 and not charges`;
const PATH = `select latitude, longitude, time, speed, floor(coalesce((soc1 + soc2) / 2, soc1) * 1000 + 0.5) / 1000 from reading
  where stream_id = $1 and time >= $2 and time < $3 and latitude is not null order by time`;

function questionsAbout({ from, to }: { from: number; to: number }): Question[] {
  const start = (ms: number) => `start=${new Date(ms).toISOString()}`;
  const end = new Date(to).toISOString();
  /** The range, 1 ms longer, so that it includes the reading at `to`, which ends the range's last interval. */
  const month = [new Date(from), new Date(to + 1)];
  const all = [new Date(0), new Date(to + DAY_MS)];
  const figure = (
    what: string,
    path: string,
    query: string,
    key: string,
    sql: string,
    range: Date[],
  ): Question => ({
    what,
    path: (serial) => `/api/influx/${path}/${serial}${query}`,
    raw: async (client, streamId) =>
      (await client.query<{ answer: number }>(sql, [streamId, ...range])).rows[0]?.answer,
    check(ours, raw) {
      const value = (ours as Record<string, number>)[key] ?? 0;
      // Allows a small difference: the roll-up includes the interval after the last reading, the query on raw rows does not.
      if (!(Math.abs(value - (raw as number)) <= 0.003)) throw new Error(`${key}: ${value}, raw rows ${raw}`);
    },
    mostRatio: 0.2,
    mostRatio95: 0.01,
  });
  const path = (what: string, first: number, query: string) => ({
    what: `GPS path of ${what}`,
    path: (serial: string) => `/api/influx/gps/${serial}?${start(first)}&end=${end}${query}`,
    raw: async (client: Client, streamId: number) =>
      (await client.query(PATH, [streamId, new Date(first), new Date(to)])).rows,
  });
  return [
    figure('operating hours', 'driverhours', '', 'hours', HOURS, all),
    figure(
      'mean power of 30 days',
      'workpower',
      `?${start(from)}&stop=${end}&window=300m`,
      'AvgPower',
      POWER,
      month,
    ),
    figure('energy fed back in 30 days', 'powerback', `?${start(from)}&stop=${end}`, 'kWh', BACK, month),
    {
      ...path('24 h, every point', to - DAY_MS, '&resolution=full'),
      check(ours, raw) {
        const [a, b] = [(ours as unknown[]).length, (raw as unknown[]).length];
        if (a !== b) throw new Error(`${a} points, raw rows ${b}`);
      },
      mostRatio: 1.2,
    },
    { ...path('30 days, thinned for a screen', from, ''), check() {}, mostRatio95: 0.04 },
  ];
}
