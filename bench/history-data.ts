import type { Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { whole } from './row.ts';

/** Seconds between two readings of one machine: 0.1 Hz. */
const STEP = 10;
const DAY_MS = 24 * 3_600_000;
const BUCKET_MS = 5 * 60_000;
/** The pool's own patience ends after 35 s. */
const LONG_MS = 3_600_000;
export const DAYS = 30;

/**
 * What machine `n` does at second `s` since 1970: from six to four it works, wandering over its site and now and then
 * to another; then it charges three hours, then it is off. It reports all day. `worked`: the hours of work until then.
 */
const CURRENT = `case when hour between 6 and 15 then round(600 + 1200 * sin(s / 40.0::float8 + n)) / 10
  when hour between 16 and 18 then -60 else 0.5 end`;
const SOC = 'round(550 + 400 * cos(s / 86400.0::float8 * 6.283185307179586)) / 10';
const LATITUDE = '51.4 + n % 10 * 0.18 + 0.02 * sin(worked / 9 + n) + 0.002 * sin(worked * 5 + n)';
const LONGITUDE = '4.4 + n / 10 % 10 * 0.24 + 0.03 * cos(worked / 7 + n) + 0.003 * cos(worked * 4 + n)';
const WORKED = (s: string) =>
  `floor(${s} / 86400) * 10 + least(greatest(${s}::float8 / 3600 - floor(${s} / 86400) * 24 - 6, 0), 10)`;
const MACHINES =
  'unnest($3::integer[]) with ordinality as m (stream, n0), lateral (select n0::integer as n) as named';

const READINGS = `
  insert into reading
  select stream, to_timestamp(s), ${LATITUDE}, ${LONGITUDE},
    case when hour between 6 and 15 then 1200 else 0 end, case when hour between 16 and 18 then 62.5 else 0 end, 702.5,
    ${CURRENT}, 690, 4, n % 5, 0, 0, case when hour between 16 and 18 then 1 else 0 end,
    soc, soc - 0.7, null, null, '{"OilTemperature": 61.5, "PumpPressure": 180, "NUMBER_SATELLITES": 11}'
  from (
    select s, s / 3600 % 24 as hour, ${WORKED('s')} as worked, ${SOC} as soc
    from generate_series($1::float8::bigint, $2::float8::bigint - ${STEP}, ${STEP}) as s offset 0
  ) as moment, ${MACHINES}`;

/**
 * A step never crosses a bucket, so every reading carries its whole interval in its own bucket. The distance is that
 * between a bucket's ends: nothing that is measured adds it up.
 */
const ROLLUP = `
  insert into rollup
  select stream, to_timestamp(b), 30, case when hour between 6 and 15 then 300000 else 0 end, out_j, in_j, charged_j,
    distance_mm(51.4 + n % 10 * 0.18 + 0.02 * sin(worked / 9 + n), 4.4 + 0.03 * cos(worked / 7 + n),
      51.4 + n % 10 * 0.18 + 0.02 * sin(next_worked / 9 + n), 4.4 + 0.03 * cos(next_worked / 7 + n)),
    50, 50, 1500000, 30
  from (
    select b, b / 3600 % 24 as hour, ${WORKED('b')} as worked, ${WORKED('(b + 300)')} as next_worked
    from generate_series($1::float8::bigint, $2::float8::bigint - 300, 300) as b offset 0
  ) as moment, ${MACHINES},
    lateral (
      select sum(floor(greatest(amps * 690, 0) * ${STEP} + 0.5)) as out_j,
        sum(case when hour between 16 and 18 then 0 else floor(greatest(-amps * 690, 0) * ${STEP} + 0.5) end) as in_j,
        sum(case when hour between 16 and 18 then floor(greatest(-amps * 690, 0) * ${STEP} + 0.5) else 0 end) as charged_j
      from (select ${CURRENT} as amps from generate_series(b, b + 290, ${STEP}) as s offset 0) as state
    ) as sums`;

/**
 * ${DAYS} days of readings at 0.1 Hz, in the order in which a fleet would have sent them, with their roll-up and
 * totals; a day at a time, so that a portal beside it stays alive.
 * @returns the range that the questions are about, ms: the data goes a bucket further at both ends
 */
export async function fillHistory(
  pool: Pool,
  streams: readonly number[],
  say: (line: string) => void,
): Promise<{ from: number; to: number }> {
  const end = Math.floor(Date.now() / BUCKET_MS) * BUCKET_MS;
  const start = end - DAYS * DAY_MS - 2 * BUCKET_MS;
  const days = Array.from({ length: DAYS + 1 }, (_, day) => start + day * DAY_MS);
  await openPartitions(pool, Date.now).ensure([...days, end], undefined);
  const client = await pool.connect();
  const began = performance.now();
  try {
    await client.query('set statement_timeout = 0');
    for (const [n, day] of days.entries()) {
      const values = [day / 1000, Math.min(day + DAY_MS, end) / 1000, streams];
      const long = { query_timeout: LONG_MS } as object;
      await client.query({ text: READINGS, values, ...long });
      await client.query({ text: ROLLUP, values, ...long });
      if (n % 10 === 9) say(`${n + 1} days, ${whole((performance.now() - began) / 1000)} s`);
    }
    await client.query(
      `update latest l set time = t.time, total_running_ms = t.running_ms, total_count = t.count
       from (select stream_id, max(bucket) as time, sum(running_ms) as running_ms, sum(count) as count from rollup group by 1) as t
       where t.stream_id = l.stream_id`,
    );
    await client.query({ text: 'vacuum analyze reading, rollup, latest', query_timeout: LONG_MS } as never);
  } finally {
    client.release(true);
  }
  return { from: end - DAYS * DAY_MS - BUCKET_MS, to: end - BUCKET_MS };
}
