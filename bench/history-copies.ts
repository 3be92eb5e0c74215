import type { Pool } from '#server/platform/database.ts';
import { HIGH_COLUMNS, LOW_COLUMNS, SUM_COLUMNS } from '#server/telemetry/rollup-columns.ts';
import { SIGNALS } from '#shared/domain/signal.ts';

/** Readings that are there, with their roll-up: what is copied. Ends of the range in ms, on whole buckets. */
export type Template = { readonly streamId: number; readonly from: number; readonly to: number };
/** Where a copy goes: the stream, how much later (ms, whole buckets), and how much further east (degrees). */
export type Copy = { readonly streamId: number; readonly later: number; readonly east: number };

type Client = Pick<Pool, 'query'>;
/** The pool's own patience ends after 35 s; that of the connection after 30 s is to be set to 0 beforehand. */
const LONG_MS = 3_600_000;

/**
 * `offset 0` and the column of `r` in it: for each reading one row per copy, in the order in which a fleet would have
 * sent them. So the rows of one stream lie as far apart on the disk as they do in production.
 */
const COPIES = `lateral (
  select stream, later * interval '1 ms' as later, east, r.stream_id as template
  from unnest($4::integer[], $5::float8[], $6::float8[]) as copy (stream, later, east) offset 0
) as copy`;
const OF_TEMPLATE = (table: string, time: string) =>
  `(select * from ${table} where stream_id = $1 and ${time} >= $2 and ${time} < $3 order by ${time} offset 0) as r`;
const OTHERS = SIGNALS.map(({ column }) => column).filter((column) => column !== 'longitude');
const READINGS = `
  insert into reading (stream_id, time, longitude, ${OTHERS.join(', ')}, rest)
  select stream, time + later, longitude + east, ${OTHERS.join(', ')}, rest
  from ${OF_TEMPLATE('reading', 'time')}, ${COPIES}`;
const FIGURES = [...SUM_COLUMNS, ...LOW_COLUMNS, ...HIGH_COLUMNS]
  .map(({ column }) => column)
  .filter((column) => column !== 'west' && column !== 'east')
  .join(', ');
/** Further east is as far as before: but for the box of its positions the roll-up holds for the copy as it is. */
const ROLLUP = `
  insert into rollup (stream_id, bucket, ${FIGURES}, packs, west, east)
  select stream, bucket + later, ${FIGURES}, packs, r.west + copy.east, r.east + copy.east
  from ${OF_TEMPLATE('rollup', 'bucket')}, ${COPIES}`;
/** What is known of the newest reading and of all of them; nothing follows the copies, so that their track is none. */
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

/** Copies the template's readings and their roll-up. The partitions must exist, and hold nothing there yet. */
export async function copyHistory(
  client: Client,
  template: Template,
  copies: readonly Copy[],
): Promise<void> {
  const values = [
    template.streamId,
    new Date(template.from),
    new Date(template.to),
    copies.map(({ streamId }) => streamId),
    copies.map(({ later }) => later),
    copies.map(({ east }) => east),
  ];
  for (const text of [READINGS, ROLLUP]) await client.query(patient(text, values));
}

/** Makes `latest` of a stream fit what was copied to it. */
export async function copyLatest(client: Client, template: number, streamId: number): Promise<void> {
  await client.query(patient(LATEST, [template, streamId]));
}

/** For pg: no limit of its own. */
export const patient = (text: string, values: unknown[] = []) =>
  ({ text, values, query_timeout: LONG_MS }) as { text: string; values: unknown[] };
