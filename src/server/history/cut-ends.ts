import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { readingsOf, type SelectedRow } from '#server/telemetry/signal-columns.ts';
import { type Bucket, bucketsOf, follow } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type Reading, SIGNALS } from '#shared/domain/signal.ts';
import { type Segment, windowOf } from './range.ts';

const { reading } = telemetryTables();

/**
 * The figures of the ends of a segment that are no whole buckets, from the readings themselves.
 * @returns start of bucket (ms) to what of it lies in the ends
 */
export async function readCutEnds(
  db: Database,
  streamId: number,
  { own }: Segment,
  ends: readonly Range[],
): Promise<[number, Bucket][]> {
  const windows = await readReadings(
    db,
    streamId,
    ends.map((end) => windowOf(end, own)),
  );
  return windows.flatMap((readings, n) => [...bucketsOf(readings, follow(readings), ends[n] as Range)]);
}

const COLUMNS = ["date_part('epoch', time) * 1000", ...SIGNALS.map(({ column }) => column)];
const READ = `select found.* from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as w (since, until, n) cross join lateral (
    select ${COLUMNS.map((column, n) => `array_send(array_agg((${column})::float8)) as c${n}`).join(', ')},
      case when count(rest) > 0 then array_to_json(array_agg(rest)) end as rest
    from (select * from ${reading} where stream_id = $1 and time >= w.since and time < w.until order by time) as r
  ) as found order by n`;
type Window = Readonly<Record<`c${number}`, Buffer | null>> & {
  readonly rest: readonly SelectedRow['rest'][] | null;
};

/** All readings of each range, in order of time. */
export async function readReadings(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
): Promise<Reading[][]> {
  const { rows } = await db.query<Window>({
    name: 'read readings',
    text: READ,
    values: [streamId, ranges.map(({ from }) => new Date(from)), ranges.map(({ to }) => new Date(to))],
  });
  return rows.map(({ rest, ...columns }) =>
    readingsOf(
      COLUMNS.map((_, n) => sentDoubles(columns[`c${n}`] ?? null)),
      rest ?? [],
    ),
  );
}
