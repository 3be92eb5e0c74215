import type { Pool } from '#server/platform/database.ts';

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
const READINGS = `
  insert into reading
  select stream, time + later, latitude, longitude + east, motor_speed, charging_current, charging_voltage, battery_current,
    battery_voltage, speed, machinestatus, spoor, spoorstand, is_charging, soc1, soc2, soc3, soc4, rest
  from ${OF_TEMPLATE('reading', 'time')}, ${COPIES}`;
/** Further east is as far as before: the roll-up holds for the copy as it is. */
const ROLLUP = `
  insert into rollup
  select stream, bucket + later, count, running_ms, out_j, in_j, charged_j, distance_mm, soc_min, soc_max, soc_sum_milli, soc_count,
    speed_min, speed_max
  from ${OF_TEMPLATE('rollup', 'bucket')}, ${COPIES}`;
/** What ingest would know of the newest reading and of all of them (telemetry/sql/ingest-readings.sql). */
const LATEST = `
  update latest l set
    time = r.time, updated_at = clock_timestamp(), signal_names = t.signal_names,
    signals = (
      select json_object_agg(key, json_build_array(
        case key when 'LONGITUDE' then to_json(r.longitude) else value -> 0 end, round(date_part('epoch', r.time) * 1000)::bigint))
      from json_each(t.signals)
    ),
    tail_latitude = r.latitude, tail_longitude = r.longitude, tail_motor_speed = r.motor_speed,
    tail_charging_current = r.charging_current, tail_charging_voltage = r.charging_voltage,
    tail_battery_current = r.battery_current, tail_battery_voltage = r.battery_voltage, tail_is_charging = r.is_charging,
    total_count = s.count, total_running_ms = s.running_ms, total_out_j = s.out_j, total_in_j = s.in_j,
    total_charged_j = s.charged_j, total_distance_mm = s.distance_mm
  from latest t, reading r,
    (select sum(count) as count, sum(running_ms) as running_ms, sum(out_j) as out_j, sum(in_j) as in_j,
      sum(charged_j) as charged_j, sum(distance_mm) as distance_mm from rollup where stream_id = $2) as s
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
