import type { Database } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { OwnCourses } from '#shared/contract/history.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { plainNumber } from '#shared/domain/nl.ts';
import { parseJson } from '#shared/domain/outside-json.ts';
import { MOST_OWN_SIGNALS } from '#shared/domain/own-signals.ts';
import { segmentsOf } from './range.ts';
import { rangeSums } from './range-sums.ts';

/**
 * Number of readings in 31 days at 0.1 Hz, and some more. All readings of a range are read, because no roll-up contains
 * these signals. 8 of 40 signals of 30 such days take 1 s of processor time, 8 of 120 take 2.4 s.
 */
const MOST_READINGS = 300_000;

/**
 * Returns signals under their own names over a range: lowest, mean, highest and number of values per bucket, or every
 * value of a range with at most `points` readings.
 * @param names a JSON list
 * @throws ProblemError 400 for an invalid list, or for too many readings
 */
export async function ownCourses(
  db: Database,
  history: OwnHistory,
  range: Range,
  names: string,
  points: number,
): Promise<OwnCourses> {
  const { streamId, own } = history;
  const asked = namesIn(names);
  const { count } = await rangeSums(db, history, range, ['count']);
  if (count > MOST_READINGS)
    throw invalid(
      `Deze periode heeft ${plainNumber(count)} metingen; van eigen signalen worden er hoogstens ${plainNumber(MOST_READINGS)} getoond. Kies een kortere periode.`,
    );
  const bucketMs = count <= points ? 0 : chartBucketMs(range.to - range.from, points);
  const segments = segmentsOf(range, own);
  // After `offset 0` each value is taken from its reading once instead of once per figure; and || '{}' decompresses
  // each reading once instead of once per signal: 8 of 120 signals took four times as long.
  const values = asked.map((_, n) => `(rest -> $${n + 6})::float8 as v${n}`);
  const figures = asked.map((_, n) => `array[min(v${n}), avg(v${n}), max(v${n}), count(v${n})] as s${n}`);
  const { rows } = await ofStream(db, streamId).query<
    { seconds: number } & Record<`s${number}`, [number, number, number, number]>
  >(
    `select date_part('epoch', start) as seconds, ${figures.join(', ')}
     from (
       select ${bucketMs === 0 ? 'time' : `date_bin('${bucketMs} ms', time, 'epoch')`} as start, ${values.join(', ')}
       from (
         select time, rest || '{}' as rest
         from telemetry.reading join unnest($4::timestamptz[], $5::timestamptz[]) as own (from_time, to_time)
           on time >= from_time and time < to_time
         where stream_id = $1 and time >= $2 and time < $3
         offset 0
       ) as unpacked
       offset 0
     ) as read group by start order by start`,
    [
      streamId,
      new Date(range.from),
      new Date(range.to),
      segments.map(({ from }) => new Date(from)),
      segments.map(({ to }) => new Date(to)),
      ...asked,
    ],
  );
  const signals = asked.map((name, n) => {
    const known = rows.flatMap(({ seconds, [`s${n}` as const]: figuresOf }) =>
      figuresOf && figuresOf[3] > 0 ? [[seconds, ...figuresOf] as const] : [],
    );
    return {
      name,
      time: known.map(([seconds]) => seconds),
      min: known.map(([, min]) => min),
      mean: known.map(([, , mean]) => mean),
      max: known.map(([, , , max]) => max),
      count: known.map(([, , , , count]) => count),
    };
  });
  return { bucketSeconds: bucketMs / 1_000, signals };
}

function namesIn(text: string): string[] {
  const list = listIn(text);
  const names = [...new Set(list)].filter((name) => typeof name === 'string');
  if (names.length === 0 || names.length < list.length || names.length > MOST_OWN_SIGNALS)
    throw invalid(`De namen zijn een JSON-lijst van 1 tot ${MOST_OWN_SIGNALS} verschillende signalen.`);
  return names;
}

function listIn(text: string): unknown[] {
  try {
    const list = parseJson(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
