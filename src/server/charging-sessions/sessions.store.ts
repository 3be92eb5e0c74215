import type { Database, Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { type ChargingSession, MAX_SESSION_PAUSE_MS } from './find-sessions.ts';

/**
 * Returns the time in ms from which sessions must be searched again after a change at `from`: a time without a session
 * in progress, and without a charge that may become part of one.
 */
export async function readSessionSearchStart(db: Database, streamId: number, from: number): Promise<number> {
  const pause = `interval '${MAX_SESSION_PAUSE_MS} milliseconds'`;
  const { rows } = await shardForStream(db, streamId).query<{ from: number | null }>(
    `with recursive back (at) as (
       select least($2::timestamptz, min(from_time)) from telemetry.charging_session
       where stream_id = $1 and to_time >= $2::timestamptz - ${pause} and from_time < $2
       union all
       select (select min(bucket) from telemetry.rollup
         where stream_id = $1 and charging_ms > 0 and bucket < back.at
           and bucket > back.at - ${pause} - interval '${BUCKET_MS} milliseconds')
       from back where at is not null
     )
     select date_part('epoch', min(at)) * 1000 as "from" from back`,
    [streamId, new Date(from)],
  );
  return rows[0]?.from ?? from;
}

/** Replaces the sessions that begin in a range. */
export async function replaceSessions(
  db: Transaction,
  streamId: number,
  { from, to }: Range,
  sessions: readonly ChargingSession[],
): Promise<void> {
  await shardForStream(db, streamId).query(
    `delete from telemetry.charging_session where stream_id = $1 and from_time >= $2 and from_time < $3`,
    [streamId, new Date(from), new Date(to)],
  );
  if (sessions.length === 0) return;
  // Arrays are passed as text, because PostgreSQL's arrays of arrays require equal lengths.
  const list = (values: readonly (number | undefined)[]): string =>
    `{${values.map((value) => value ?? 'NULL').join(',')}}`;
  await shardForStream(db, streamId).query(
    `insert into telemetry.charging_session (stream_id, from_time, to_time, charging_ms, full_ms, charged_mj, highest_watts, soc_from,
       soc_to, latitude, longitude, ended, first_percent, reached_ms, charged_hours)
     select $1::integer, "from", "to", charging, full_ms, charged, watts, soc_from::float8[], soc_to::float8[], lat, lon, ended,
       first, reached::integer[], hours::bigint[]
     from unnest($2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[], $8::text[],
       $9::text[], $10::float8[], $11::float8[], $12::text[], $13::smallint[], $14::text[], $15::text[])
       as n ("from", "to", charging, full_ms, charged, watts, soc_from, soc_to, lat, lon, ended, first, reached, hours)`,
    [
      streamId,
      sessions.map((one) => new Date(one.from)),
      sessions.map((one) => new Date(one.to)),
      sessions.map(({ chargingMs }) => chargingMs),
      sessions.map(({ fullMs }) => fullMs),
      sessions.map(({ chargedMj }) => chargedMj),
      sessions.map(({ highestWatts }) => highestWatts ?? null),
      sessions.map(({ socFrom }) => list(socFrom)),
      sessions.map(({ socTo }) => list(socTo)),
      sessions.map(({ position }) => position?.lat ?? null),
      sessions.map(({ position }) => position?.lon ?? null),
      sessions.map(({ ended }) => ended),
      sessions.map(({ course }) => course.firstPercent ?? null),
      sessions.map(({ course }) => list(course.reachedMs)),
      sessions.map(({ chargedHours }) => list(chargedHours)),
    ],
  );
}
