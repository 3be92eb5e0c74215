import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { Battery } from '#shared/contract/machine-fields.ts';
import type { Scope } from '#shared/domain/access.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { liveDataOf } from '#shared/domain/live-data.ts';
import { positionOf } from '#shared/domain/position.ts';
import {
  type LastSighting,
  NO_NEARBY_SILENCE,
  nearbySilenceOf,
  silenceSentences,
} from '#shared/domain/silence.ts';
import { readMachinePlaces } from './places.ts';

type Signals = Readonly<Record<string, readonly [value: number, time: number]>>;
type Latest = { readonly streamId: number; readonly lastSeenMs: number; readonly signals: Signals };
type Machine = {
  readonly streamId: number;
  readonly organizationId: number;
  readonly ownedSince: number;
  readonly batteries: readonly Battery[];
};

/**
 * Returns the last known facts of silent machines and the usual cause of their silence, in sentences by stream, as far as the scope sees
 * them.
 * @param streamIds machines that the scope sees
 * @param now ms
 */
export async function readLastKnownSentences(
  db: Database,
  scope: Scope,
  streamIds: readonly number[],
  now: number,
): Promise<Map<number, string[]>> {
  if (streamIds.length === 0) return new Map();
  const { rows: machines } = await db.query<Machine>(
    `select m.stream_id, w.organization_id, extract(epoch from w.valid_from)::float8 * 1000 as owned_since,
       m.batteries
     from machine m join ownership w on w.stream_id = m.stream_id and w.valid_to = 'infinity' where m.stream_id = any ($1)`,
    [streamIds],
  );
  const latest = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<Latest>(
      `select stream_id, extract(epoch from heard_at)::float8 * 1000 as last_seen_ms, signals
       from telemetry.latest where stream_id = any ($1)`,
      [own],
    ),
  );
  const latestOf = new Map(latest.map((row) => [row.streamId, row]));
  const places = await readMachinePlaces(db, scope, streamIds, now);
  const sighted = await readSighted(
    db,
    machines.map(({ organizationId }) => organizationId),
  );
  return new Map(
    machines.map(({ streamId, organizationId, ownedSince, batteries }) => {
      const { lastSeenMs = 0, signals = {} } = latestOf.get(streamId) ?? {};
      const place = places.get(streamId);
      const own = Object.entries(signals).flatMap(([name, [value, time]]) =>
        time >= ownedSince && !isPosition(name) ? [[name, { value, time }] as const] : [],
      );
      const hasReported = lastSeenMs > 0 && lastSeenMs >= ownedSince;
      const values = {
        ...liveDataOf(own, hasReported ? lastSeenMs : undefined),
        ...(place?.position && {
          LATITUDE: place.position.lat,
          LONGITUDE: place.position.lon,
          POSITION_UNIX: Math.floor(place.position.at / 1000),
        }),
      };
      const others = (sighted.get(organizationId) ?? []).filter((other) => other.streamId !== streamId);
      const nearby = place?.position
        ? nearbySilenceOf({ position: place.position, lastSeenAt: values.GMT_UNIX }, others, now)
        : NO_NEARBY_SILENCE;
      const area = place && place.name.kind !== 'town' ? place.name.name : undefined;
      return [
        streamId,
        silenceSentences({ values, batteries: batteriesOf(values, batteries), area, nearby }),
      ];
    }),
  );
}

const isPosition = (name: string): boolean => name === 'LATITUDE' || name === 'LONGITUDE';

type SightedStream = LastSighting & { readonly streamId: number };

/** Returns the last positions of the machines of some organizations, and when each machine last reported, by organization. */
async function readSighted(
  db: Database,
  organizations: readonly number[],
): Promise<Map<number, SightedStream[]>> {
  const { rows: owned } = await db.query<{ streamId: number; organizationId: number; ownedSince: number }>(
    `select s.id as stream_id, w.organization_id, extract(epoch from w.valid_from)::float8 as owned_since
     from ownership w join stream s on s.id = w.stream_id and s.deleted_at is null and s.kind = 'machine'
     where w.valid_to = 'infinity' and w.organization_id = any ($1)`,
    [organizations],
  );
  const rows = await runInShardsOfStreams(
    db,
    owned.map(({ streamId }) => streamId),
    (shard, own) =>
      shard.query<{ streamId: number; lastSeenAt: number; lat: number | null; lon: number | null }>(
        `select stream_id, extract(epoch from heard_at)::float8 as last_seen_at, (signals->'LATITUDE'->>0)::float8 as lat,
           (signals->'LONGITUDE'->>0)::float8 as lon from telemetry.latest where stream_id = any ($1)`,
        [own],
      ),
  );
  const latestOf = new Map(rows.map((row) => [row.streamId, row]));
  const all = owned.flatMap(({ streamId, organizationId, ownedSince }) => {
    const row = latestOf.get(streamId);
    if (!row || row.lastSeenAt < ownedSince) return [];
    const position = positionOf({ LATITUDE: row.lat ?? undefined, LONGITUDE: row.lon ?? undefined });
    return [{ streamId, organizationId, position, lastSeenAt: row.lastSeenAt }];
  });
  return Map.groupBy(all, ({ organizationId }) => organizationId);
}
