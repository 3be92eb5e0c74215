import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { ChargingEvent, ChargingKind } from '#shared/domain/charging-events.ts';
import { type KnownEvent, QUIET_MS } from '#shared/domain/charging-mail-rules.ts';

const { event } = telemetryTables();

/** What the column `data` of a charging event holds. */
export type EventData = Pick<ChargingEvent, 'knownAt' | 'soc' | 'signals'> & { readonly mailed: boolean };

const KINDS = ['started', 'ended', 'completed'];

/** Charging events of these streams that touch the time since `sinceMs`, or the quiet time before it; by stream. */
export async function knownEvents(
  db: Database,
  streamIds: readonly number[],
  sinceMs: number,
): Promise<Map<number, KnownEvent[]>> {
  const known = new Map<number, KnownEvent[]>(streamIds.map((streamId) => [streamId, []]));
  const { rows } = await db.query<{
    streamId: number;
    kind: KnownEvent['kind'];
    from: Date;
    to: Date | null;
    data: EventData;
  }>(
    `select stream_id as "streamId", kind, from_time as from, to_time as to, data from ${event}
     where stream_id = any ($1) and kind = any ($2)
       and greatest(from_time, to_time, to_timestamp((data ->> 'knownAt')::float8 / 1000)) >= $3`,
    [streamIds, KINDS, new Date(sinceMs - QUIET_MS)],
  );
  for (const { streamId, kind, from, to, data } of rows) {
    known.get(streamId)?.push({
      kind,
      from: from.getTime(),
      ...(to && { to: to.getTime() }),
      knownAt: data.knownAt,
      ...(data.soc !== undefined && { soc: data.soc }),
      mailed: data.mailed,
    });
  }
  return known;
}

/** @returns false when the event is there already */
export async function storeEvent(
  db: Database,
  streamId: number,
  { kind, from, to, knownAt, soc, signals }: ChargingEvent,
  mailed: boolean,
): Promise<boolean> {
  const data: EventData = { knownAt, ...(soc !== undefined && { soc }), signals, mailed };
  const { rowCount } = await db.query(
    `insert into ${event} (stream_id, kind, from_time, to_time, data) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [streamId, kind, new Date(from), to === undefined ? null : new Date(to), JSON.stringify(data)],
  );
  return rowCount === 1;
}

/** One event, as it was stored. */
export async function readEvent(
  db: Database,
  streamId: number,
  kind: ChargingKind,
  fromMs: number,
): Promise<{ readonly to: number | undefined; readonly data: EventData } | undefined> {
  const { rows } = await db.query<{ to: Date | null; data: EventData }>(
    `select to_time as to, data from ${event} where stream_id = $1 and kind = $2 and from_time = $3`,
    [streamId, kind, new Date(fromMs)],
  );
  return rows[0] && { to: rows[0].to?.getTime(), data: rows[0].data };
}
