import type { PoolClient } from 'pg';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import type { Pool } from '#server/platform/database.ts';
import { indexClosedWeek } from '#server/telemetry/indexed-rollup.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { weekStartOf } from '#server/telemetry/readings/weeks.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import {
  HIGHEST_VALUE_COLUMNS,
  LOWEST_VALUE_COLUMNS,
  SUM_COLUMNS,
} from '#server/telemetry/rollup-columns.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import type { BenchContext } from './context.ts';
import { workdaySignals } from './fleet.ts';
import type { BenchPortal } from './portal.ts';
import { wholeNumber } from './report.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const BUCKET_MS = 5 * 60_000;
const STEP_MS = 10_000;
/** Readings per batch: fewer than 1,000, because 1,000 readings of a closed week in one batch would be stored as a file. */
const BATCH = 900;
export const HISTORY_DAYS = 30;

/** Number of machines of the history benchmarks; the environment variable HISTORY_MACHINES sets another number. */
export const HISTORY_MACHINES = Number(process.env.HISTORY_MACHINES ?? 100);

type Span = { readonly from: number; readonly to: number };
type Client = Pick<Pool, 'query'>;

/**
 * Stores 30 days of readings at 0.1 Hz of every stream. The first machine's readings are ingested like uploads. The other machines get
 * copies, each machine further east, one day at a time and in the order in which a fleet would send the readings. Then computes the day
 * figures and vacuums the tables.
 * @returns the range of time that the queries cover, ms since 1970; the readings begin one bucket earlier and end one bucket later
 */
export async function fillHistory(
  context: BenchContext,
  { pool, owner }: Pick<BenchPortal, 'pool' | 'owner'>,
  streams: readonly number[],
): Promise<Span> {
  const began = performance.now();
  const log = (done: string) => context.log(`${done}, ${wholeNumber((performance.now() - began) / 1000)} s`);
  const [first, ...others] = streams as [number, ...number[]];
  const to = Math.floor(Date.now() / BUCKET_MS) * BUCKET_MS;
  const from = to - HISTORY_DAYS * DAY_MS - 2 * BUCKET_MS;
  context.log(`Making ${HISTORY_DAYS} days at 0.1 Hz of ${streams.length} machines`);
  await ingest(pool, first, { from, to });
  log('one machine through ingest');

  // Two connections copy in parallel: each takes the next week, which is one partition, until all weeks are copied.
  const weeks = spans({ from: weekStartOf(from), to }, WEEK_MS);
  await Promise.all([0, 1].map(() => withoutTimeout(pool, copyWeeks)));
  for (const streamId of others) await pool.query(patient(LATEST, [first, streamId]));
  await computeUntilUpToDate(pool);
  log('days computed');
  await withoutTimeout(owner, async (client) => {
    await client.query(patient('vacuum analyze reading, rollup, latest, day_figures'));
    while (await indexClosedWeek(client, Date.now()));
  });
  log('vacuumed');
  return { from: from + BUCKET_MS, to: to - BUCKET_MS };

  async function copyWeeks(client: Client): Promise<void> {
    const east = others.map((_, n) => 0.024 * (n + 1));
    for (let week = weeks.shift(); week; week = weeks.shift()) {
      for (const day of spans({ from: Math.max(week.from, from), to: week.to }, DAY_MS))
        for (const text of [READINGS, ROLLUP])
          await client.query(patient(text, [first, new Date(day.from), new Date(day.to), others, east]));
      log(`a week copied to ${others.length} machines`);
    }
  }
}

/** Stores a reading of the stream every 10 s, as if it had been uploaded. */
async function ingest(pool: Pool, streamId: number, span: Span): Promise<void> {
  const partitions = openPartitions(pool, Date.now);
  for (const batch of spans(span, BATCH * STEP_MS)) {
    await partitions.ensure([batch.from, batch.to], undefined);
    const readings = Array.from({ length: Math.ceil((batch.to - batch.from) / STEP_MS) }, (_, n) => {
      const time = batch.from + n * STEP_MS;
      return { streamId, time, signals: workdaySignals(time / 1000) };
    });
    const { inserted } = await storeReadings(pool, readings);
    if (inserted !== readings.length) throw new Error(`${inserted} of ${readings.length} readings were new.`);
  }
}

/** Divides the span into consecutive spans of at most `ms`. */
const spans = ({ from, to }: Span, ms: number): Span[] =>
  Array.from({ length: Math.ceil((to - from) / ms) }, (_, n) => ({
    from: from + n * ms,
    to: Math.min(from + (n + 1) * ms, to),
  }));

async function withoutTimeout(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await work(client);
  } finally {
    client.release(true);
  }
}

/** Returns a query with a timeout of an hour; the pool's own timeout is 35 s. */
const patient = (text: string, values: unknown[] = []) =>
  ({ text, values, query_timeout: 3_600_000 }) as { text: string; values: unknown[] };

/**
 * `offset 0` makes one row per copy for each reading, in the order in which a fleet sends them. So the rows of one stream lie
 * as far apart on the disk as in production.
 */
const COPIES = `lateral (
  select stream, east, r.stream_id as template from unnest($4::integer[], $5::float8[]) as copy (stream, east) offset 0
) as copy`;
const template = (table: string, time: string) =>
  `(select * from ${table} where stream_id = $1 and ${time} >= $2 and ${time} < $3 order by ${time} offset 0) as r`;
const OTHERS = SIGNALS.map(({ column }) => column).filter((column) => column !== 'longitude');
const READINGS = `
  insert into reading (stream_id, time, longitude, ${OTHERS.join(', ')}, rest)
  select stream, time, longitude + east, ${OTHERS.join(', ')}, rest from ${template('reading', 'time')}, ${COPIES}`;
const FIGURES = [...SUM_COLUMNS, ...LOWEST_VALUE_COLUMNS, ...HIGHEST_VALUE_COLUMNS]
  .map(({ column }) => column)
  .filter((column) => column !== 'west' && column !== 'east')
  .join(', ');
const ROLLUP = `
  insert into rollup (stream_id, bucket, ${FIGURES}, packs, west, east)
  select stream, bucket, ${FIGURES}, packs, r.west + copy.east, r.east + copy.east from ${template('rollup', 'bucket')}, ${COPIES}`;
/**
 * Sets the row of stream $2 in `latest`: the time and the longitude of its newest copied reading, the other signals of stream $1 (the
 * stream that was copied), and totals from its roll-up.
 */
const LATEST = `
  update latest l set
    time = r.time, heard_at = r.time, updated_at = clock_timestamp(),
    signals = (
      select json_object_agg(key, json_build_array(
        case key when 'LONGITUDE' then to_json(r.longitude) else value -> 0 end, round(date_part('epoch', r.time) * 1000)::bigint))
      from json_each(t.signals)
    ),
    total_count = s.count, total_running_ms = s.running_ms
  from latest t, reading r,
    (select sum(count) as count, sum(running_ms) as running_ms from rollup where stream_id = $2) as s
  where t.stream_id = $1 and l.stream_id = $2 and r.stream_id = $2
    and r.time = (select max(time) from reading where stream_id = $2)`;
