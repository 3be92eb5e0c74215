import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { sessionEndSql } from '#server/telemetry/session-end.ts';
import type { Range } from '#shared/domain/intervals.ts';

/**
 * Returns for each stream that charges now the last stored forecast of when its batteries will be full (ms), by stream: for many streams
 * what readForecast (charge-forecasts.ts) returns for one. Leaves out a charge that began before the caller owned the stream.
 */
export async function readPresentForecasts(
  db: Database,
  streams: readonly OwnHistory[],
  now: number,
): Promise<ReadonlyMap<number, Range>> {
  const found = await runInShardsOfStreams(db, streams, (shard, own) => {
    const since = own.map(({ own: owned }) => owned.at(-1)?.from ?? Number.POSITIVE_INFINITY);
    return shard.query<Range & { id: number }>(
      `select s.id, date_part('epoch', f.from_time) * 1000 as "from", date_part('epoch', f.to_time) * 1000 as "to"
         from unnest($1::integer[], $2::timestamptz[]) as s (id, since)
           join telemetry.latest l on l.stream_id = s.id
           join telemetry.charging_session c on c.stream_id = s.id
             and c.from_time = (select max(from_time) from telemetry.charging_session other where other.stream_id = s.id)
           join telemetry.charge_forecast f on f.stream_id = s.id
             and f.at = (select max(at) from telemetry.charge_forecast other where other.stream_id = s.id)
         where ${sessionEndSql('$3')} is null and c.from_time >= s.since and f.at >= c.from_time`,
      [
        own.map(({ streamId }) => streamId),
        since.map((at) => (Number.isFinite(at) ? new Date(at) : at < 0 ? '-infinity' : 'infinity')),
        new Date(now),
      ],
    );
  });
  return new Map(found.map(({ id, from, to }) => [id, { from, to }]));
}
