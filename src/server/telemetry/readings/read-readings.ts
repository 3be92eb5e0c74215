import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { ofStreams } from '#server/platform/shards.ts';
import { type Reading, SIGNALS } from '#shared/domain/signal.ts';
import { timeParameter } from './columns.ts';
import type { StreamRange } from './read-columns.ts';
import { readingsOf, type SelectedRow } from './signal-columns.ts';

/** Columns as binary arrays: converting numbers to text costs more than everything else. */
type Sent = Readonly<Record<`c${number}`, Buffer | null>> & {
  readonly rest: readonly SelectedRow['rest'][] | null;
};

/**
 * Returns the readings of each range, in chronological order. A reading without any wanted signal is returned too.
 * @param wantedSignals names of signals, each with a column that no other name uses; or a condition on the name;
 * undefined: all signals
 */
export async function readRanges(
  db: Database,
  ranges: readonly StreamRange[],
  wantedSignals?: readonly string[] | ((signal: string) => boolean),
): Promise<Reading[][]> {
  if (ranges.length === 0) return [];
  const isInColumns = typeof wantedSignals === 'object';
  const counts = isInColumns ? (name: string) => wantedSignals.includes(name) : wantedSignals;
  const wanted = counts ? SIGNALS.filter(({ name }) => counts(name)) : SIGNALS;
  const columns = [`date_part('epoch', time) * 1000`, ...wanted.map(({ column }) => column)];
  const asked = ranges.map((range, at) => ({ ...range, at }));
  const found = await ofStreams(db, asked, async (shard, own) => {
    const { rows } = await shard.query<Sent>({
      name: `readings ${isInColumns ? 'in columns ' : ''}${wanted.reduce((sum, signal) => sum + 2 ** SIGNALS.indexOf(signal), 0)}`,
      // Reads range by range with the key: otherwise the planner would read all readings of a stream for each range.
      text: `select found.* from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as w (stream_id, since, until, n)
       cross join lateral (
         select ${columns.map((column, n) => `array_send(array_agg((${column})::float8)) as c${n}`).join(', ')},
           ${isInColumns ? 'null' : 'case when count(rest) > 0 then array_to_json(array_agg(rest)) end'} as rest
         from (
           select * from telemetry.reading where stream_id = w.stream_id and time >= w.since and time < w.until order by time
         ) as r
       ) as found order by n`,
      values: [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => timeParameter(from)),
        own.map(({ to }) => timeParameter(to)),
      ],
    });
    return { rows: rows.map((row, n) => ({ row, at: own[n]?.at as number })) };
  });
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ row: { rest, ...sent } }) =>
      readingsOf(
        columns.map((_, n) => sentDoubles(sent[`c${n}`] ?? null)),
        rest ?? [],
        wanted,
        counts,
      ),
    );
}

/**
 * Returns the readings of each stream after a time (ms), in chronological order, by stream.
 * @param counts condition on a signal's name, as `wantedSignals` of readRanges
 */
export async function readAfter(
  db: Database,
  after: readonly { readonly streamId: number; readonly time: number }[],
  counts: (signal: string) => boolean,
): Promise<Map<number, Reading[]>> {
  const ranges = after.map(({ streamId, time }) => ({ streamId, from: time + 1, to: Infinity }));
  const readings = await readRanges(db, ranges, counts);
  return new Map(after.map(({ streamId }, n) => [streamId, readings[n] ?? []]));
}
