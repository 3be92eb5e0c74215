import type { Database } from '#server/platform/database.ts';
import { runInAllShards } from '#server/platform/shards.ts';
import { ADMINISTRATOR_SCOPE, visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { LiveMetadata } from '#shared/contract/live.ts';
import type { LatestValue } from '#shared/domain/live-data.ts';

/** A stream as its present owner sees it. */
export type OwnedStream = {
  readonly streamId: number;
  readonly organizationId: number;
  /** Start of the present ownership, in ms; earlier values belong to a former owner (INGEST-06). -Infinity: the first owner. */
  readonly ownedSince: number;
  readonly metadata: LiveMetadata;
};

/** Returns every stream that is not deleted, unordered. */
export async function readOwnedStreams(db: Database): Promise<OwnedStream[]> {
  const { rows } = await db.query<OwnedStream>(
    `select s.id as stream_id, s.organization_id,
       extract(epoch from s.owned_since)::float8 * 1000 as owned_since,
       json_build_object(
         'kind', s.kind, 'serialNumber', s.serial, 'organization', s.organization, 'cleanorg', s.organization_name, 'alias', s.alias,
         'brand', coalesce(m.brand, ''), 'model', coalesce(m.model, ''), 'macaddress', coalesce(m.macaddress, ''),
         'loggerId', coalesce(b.logger_serial, ''), 'batteries', coalesce(m.batteries, '[]'),
         'hulpstukken', coalesce(m.accessories, '[]')
       ) as metadata
     from ${visibleStreamsSql(ADMINISTRATOR_SCOPE)}
     left join machine m on m.stream_id = s.id
     left join writer b on b.stream_id = s.id and b.valid_to = 'infinity'`,
    visibleStreamsParameters(ADMINISTRATOR_SCOPE),
  );
  return rows;
}

/** The newest values of one stream. `updatedAt`: last change of the row, ms by the database's clock. */
export type LatestRow = {
  readonly streamId: number;
  readonly newestMs: number | undefined;
  readonly signals: ReadonlyMap<string, LatestValue>;
  readonly updatedAt: number;
};

/** Returns the time of the database's clock, ms since 1970. */
export async function databaseTime(db: Database): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return rows[0]?.ms as number;
}

/**
 * Returns the rows of `latest` that changed after `since` (ms by the database's clock; undefined: all).
 * @returns isWhole: false if a shard did not answer, and its changes must be read later
 */
export async function readLatestRows(
  db: Database,
  since: number | undefined,
): Promise<{ rows: LatestRow[]; isWhole: boolean }> {
  let isWhole = true;
  const rows = await runInAllShards(
    db,
    (shard) =>
      shard.query<{
        streamId: number;
        newestMs: number;
        signals: Record<string, [number, number]>;
        updatedMs: number;
      }>({
        name: 'latest since',
        text: `select stream_id, extract(epoch from heard_at)::float8 * 1000 as newest_ms, signals,
          extract(epoch from updated_at)::float8 * 1000 as updated_ms
        from telemetry.latest where updated_at > to_timestamp($1::float8 / 1000)`,
        values: [since ?? 0],
      }),
    () => {
      isWhole = false;
    },
  );
  const read = rows.map((row) => ({
    streamId: row.streamId,
    newestMs: Number.isFinite(row.newestMs) ? row.newestMs : undefined,
    signals: new Map(
      Object.entries(row.signals).map(([name, [value, time]]) => [name, { value, time }] as const),
    ),
    updatedAt: row.updatedMs,
  }));
  return { rows: read, isWhole };
}
