import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { LONGEST_PAUSE_MS } from './find-sessions.ts';

const { latest, chargingSession, chargeForecast } = telemetryTables();

/**
 * Of the streams that charge now, when they will be full, as it was told last (forecastOf in charge-forecasts.ts, of many at once);
 * ms, by stream. Of a charge that began before the stream was the caller's nothing.
 */
export async function readStanding(
  db: Database,
  streams: readonly OwnHistory[],
  now: number,
): Promise<ReadonlyMap<number, Range>> {
  const since = streams.map(({ own }) => own.at(-1)?.from ?? Number.POSITIVE_INFINITY);
  const { rows } = await db.query<Range & { id: number }>(
    `select s.id, date_part('epoch', f.from_time) * 1000 as "from", date_part('epoch', f.to_time) * 1000 as "to"
     from unnest($1::integer[], $2::timestamptz[]) as s (id, since)
       join ${latest} l on l.stream_id = s.id
       join ${chargingSession} c on c.stream_id = s.id
         and c.from_time = (select max(from_time) from ${chargingSession} other where other.stream_id = s.id)
       join ${chargeForecast} f on f.stream_id = s.id
         and f.at = (select max(at) from ${chargeForecast} other where other.stream_id = s.id)
     where l.time > to_timestamp($3::float8 / 1000) and c.ended is null and c.from_time >= s.since and f.at >= c.from_time`,
    [
      streams.map(({ streamId }) => streamId),
      since.map((at) => (Number.isFinite(at) ? new Date(at) : at < 0 ? '-infinity' : 'infinity')),
      now - LONGEST_PAUSE_MS,
    ],
  );
  return new Map(rows.map(({ id, from, to }) => [id, { from, to }]));
}
