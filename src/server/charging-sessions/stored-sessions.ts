import { TERREIN_OF_SESSION_SQL } from '#server/charging-tariffs/terrein-charging.ts';
import type { Database } from '#server/platform/database.ts';
import { instantParameter } from '#server/platform/instant.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { sessionEndSql } from '#server/telemetry/session-end.ts';
import type { ChargingCurve } from '#shared/domain/charge-forecast.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { PackPercents } from '#shared/domain/usable-capacity.ts';
import type { SessionEndReason } from './find-sessions.ts';

/** A session as stored; ms, mJ, W, %. */
export type StoredSession = Range & {
  readonly chargingMs: number;
  readonly fullMs: number;
  readonly chargedMj: number;
  readonly watts: number | undefined;
  /** Charge levels at the beginning and the end of the session in %, by pack number less 1. */
  readonly socFrom: PackPercents;
  readonly socTo: PackPercents;
  readonly lat: number | null;
  readonly lon: number | null;
  /** Null while the session continues. */
  readonly ended: SessionEndReason | null;
  readonly course: ChargingCurve;
  /** Energy in mJ of each clock hour, from the hour in which the session began; null for sessions that are older than this column. */
  readonly hours: readonly number[] | null;
  /** The terrein on which the session began; null for none, or unknown. */
  readonly terreinId: number | null;
};

type Row = Omit<StoredSession, 'watts' | 'course'> & {
  watts: number | null;
  firstPercent: number | null;
  reachedMs: number[];
};

const ms = (column: string): string => `date_part('epoch', ${column}) * 1000`;

/**
 * Returns the sessions of a stream that began in some ranges, newest first.
 * @param ranges half-open; in the caller's ownership
 * @param now the portal's clock, ms
 */
export async function readSessions(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  most: number,
  now: number,
): Promise<StoredSession[]> {
  const { rows } = await shardForStream(db, streamId).query<Row>(
    `select ${ms('from_time')} as "from", ${ms('to_time')} as "to", charging_ms::float8 as charging_ms,
       full_ms::float8 as full_ms, charged_mj::float8 as charged_mj, highest_watts as watts, soc_from,
       soc_to, c.latitude as lat, c.longitude as lon, ${sessionEndSql('$5')} as ended, first_percent, reached_ms, c.charged_hours::float8[] as hours,
       ${TERREIN_OF_SESSION_SQL} as terrein_id
     from telemetry.charging_session c left join telemetry.latest l using (stream_id) where stream_id = $1 and exists (
       select from unnest($2::timestamptz[], $3::timestamptz[]) as own ("from", "to") where from_time >= "from" and from_time < "to"
     ) order by from_time desc limit $4`,
    [
      streamId,
      ranges.map(({ from }) => instantParameter(from)),
      ranges.map(({ to }) => instantParameter(to)),
      most,
      new Date(now),
    ],
  );
  return rows.map(({ watts, firstPercent, reachedMs, ...row }) => ({
    ...row,
    watts: watts ?? undefined,
    course: { firstPercent: firstPercent ?? undefined, reachedMs },
  }));
}

/**
 * Returns the project that the machine was on, by the beginning of each session (ms).
 * @param named only these projects; null: all
 */
export async function readProjectsAtSessionStarts(
  db: Database,
  streamId: number,
  times: readonly number[],
  named: readonly number[] | null,
): Promise<ReadonlyMap<number, { readonly name: string; readonly byHand: boolean }>> {
  if (times.length === 0) return new Map();
  const { rows } = await shardForStream(db, streamId).query<Range & { projectId: number; byHand: boolean }>(
    `select ${ms('from_time')} as "from", ${ms('to_time')} as "to", project_id, by_hand from telemetry.presence
     where stream_id = $1 and from_time <= $2 and to_time > $3`,
    [streamId, new Date(Math.max(...times)), new Date(Math.min(...times))],
  );
  const { rows: projects } = await db.query<{ id: number; name: string }>(
    'select id, name from project where id = any ($1) and ($2::integer[] is null or id = any ($2))',
    [[...new Set(rows.map(({ projectId }) => projectId))], named],
  );
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return new Map(
    times.flatMap((time) => {
      const there = rows.find(({ from, to }) => from <= time && time < to);
      const name = there && names.get(there.projectId);
      return name === undefined ? [] : [[time, { name, byHand: there?.byHand ?? false }]];
    }),
  );
}
