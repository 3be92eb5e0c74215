import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { AMSTERDAM, amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { readCutEnds } from './cut-ends.ts';
import { cutOf, type Segment, segmentsOf } from './range.ts';

const { rollup } = telemetryTables();

const MS_PER_HOUR = 3_600_000;

/** `AvgPower` in kW, null without running time. */
type Power = { readonly hours: number; readonly AvgPower: number | null };
export type WorkPower = Pick<Power, 'AvgPower'> & { readonly days: (Power & { readonly date: string })[] };

/**
 * Average power over running time (docs/design.md section 8; MDET-05): net energy, which is what left the battery less
 * what came back while not charging (a charger's energy is no work), divided by running time.
 *
 * `window` is the resolution. Every day in Amsterdam is cut into windows from its midnight on, and those also at the
 * ends of the range and of ownership; so the days add up to the whole. A piece in which the machine ran counts with all
 * its net energy; one in which it did not counts for nothing: what a parked machine draws is no work either. A
 * 5-minute bucket belongs to the window that it begins in; a window of a day or more is the day.
 * @returns the whole, and the days on which it ran, in order; the whole is the days' mean by their hours
 */
export async function workPower(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  window: number,
): Promise<WorkPower> {
  const segments = await Promise.all(
    segmentsOf(range, own).map((segment) => readDays(db, streamId, segment, window)),
  );
  const days = new Map<string, Work>();
  for (const { date, ms, joules } of segments.flat()) {
    const day = days.get(date) ?? { ms: 0, joules: 0 };
    days.set(date, { ms: day.ms + ms, joules: day.joules + joules });
  }
  const all = [...days.values()].reduce(
    (sum, day) => ({ ms: sum.ms + day.ms, joules: sum.joules + day.joules }),
    {
      ms: 0,
      joules: 0,
    },
  );
  return {
    AvgPower: powerOf(all).AvgPower,
    days: [...days].map(([date, day]) => ({ date, ...powerOf(day) })),
  };
}

/** Running time and the net energy of the pieces that have some. */
type Work = { readonly ms: number; readonly joules: number };

const powerOf = ({ ms, joules }: Work): Power => ({
  hours: ms / MS_PER_HOUR,
  // J / ms is kW.
  AvgPower: ms > 0 ? joules / ms : null,
});

async function readDays(
  db: Database,
  streamId: number,
  segment: Segment,
  window: number,
): Promise<(Work & { date: string })[]> {
  const { whole, ends } = cutOf(segment);
  const cut = await readCutEnds(db, streamId, segment, ends);
  const { rows } = await db.query<Work & { date: string }>(
    `with day as (
       select to_char(d, 'YYYY-MM-DD') as date, d at time zone '${AMSTERDAM}' as midnight,
         (d + interval '1 day') at time zone '${AMSTERDAM}' as next_midnight
       from generate_series($8::timestamp, $9::timestamp, interval '1 day') as d
     ),
     part as (
       select day.date, date_bin($4::interval, bucket, midnight) as piece, running_ms, out_j - in_j as net_j
       from day join ${rollup} on bucket >= midnight and bucket < next_midnight
       where stream_id = $1 and bucket >= $2 and bucket < $3
       union all
       select day.date, date_bin($4::interval, bucket, midnight), running_ms, net_j
       from day join unnest($5::timestamptz[], $6::bigint[], $7::bigint[]) as cut (bucket, running_ms, net_j)
         on bucket >= midnight and bucket < next_midnight
     ),
     piece as (select date, sum(running_ms) as running_ms, sum(net_j) as net_j from part group by date, piece)
     select date, sum(running_ms)::float8 as ms, sum(net_j)::float8 as joules
     from piece where running_ms > 0 group by date order by date`,
    [
      streamId,
      new Date(whole?.from ?? 0),
      new Date(whole?.to ?? 0),
      `${window / 1000} seconds`,
      cut.map(([start]) => new Date(start)),
      cut.map(([, { runningMs }]) => runningMs),
      cut.map(([, { outJ, inJ }]) => outJ - inJ),
      amsterdamDay(segment.from - BUCKET_MS),
      amsterdamDay(segment.to),
    ],
  );
  return rows;
}
