import { organizationsOf } from '#server/organizations/organizations.store.ts';
import { ofStreams } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import { readPresent } from '#server/projects/present.ts';
import type { Scope } from '#shared/domain/access.ts';
import { placeNear } from '#shared/domain/nearest-place.ts';
import { positionOf } from '#shared/domain/position.ts';
import { isWorkingTime } from '#shared/domain/privacy.ts';

type Newest = { readonly streamId: number; readonly lat: number; readonly lon: number; readonly at: number };

/**
 * Where machines are now, as far as it may be known within a scope: 'Project Sluis', 'Omgeving Zwolle'. By stream.
 * @param now ms
 */
export async function placesOf(
  db: Database,
  scope: Scope,
  streamIds: readonly number[],
  now: number,
): Promise<Map<number, string>> {
  const places = new Map<number, string>();
  if (streamIds.length === 0) return places;
  const rows = await ofStreams(db, streamIds, (cell, own) =>
    cell.query<Newest>(
      `select stream_id as "streamId", (signals->'LATITUDE'->>0)::float8 as lat, (signals->'LONGITUDE'->>0)::float8 as lon,
       (signals->'LATITUDE'->>1)::float8 as at
     from telemetry.latest where stream_id = any ($1)`,
      [own],
    ),
  );
  const { rows: owned } = await db.query<{ id: number; since: number }>(
    `select stream_id as id, extract(epoch from valid_from)::float8 * 1000 as since from ownership
     where stream_id = any ($1) and valid_to = 'infinity'`,
    [streamIds],
  );
  const ownedSince = new Map(owned.map(({ id, since }) => [id, since]));
  for (const { streamId, lat, lon, at } of rows) {
    const position = positionOf({ LATITUDE: lat, LONGITUDE: lon });
    const isSeen = !scope.positionHours || isWorkingTime(scope.positionHours, at);
    if (position && isSeen && at >= (ownedSince.get(streamId) ?? at))
      places.set(streamId, `Omgeving ${placeNear(position)}`);
  }
  const present = await readPresent(db, organizationsOf(scope), scope.positionHours, now);
  const { rows: projects } = await db.query<{ id: number; name: string }>(
    'select id, name from project where id = any ($1)',
    [[...new Set(present.map(({ projectId }) => projectId))]],
  );
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const asked = new Set(streamIds);
  for (const { streamId, projectId } of present)
    if (asked.has(streamId)) places.set(streamId, `Project ${names.get(projectId)}`);
  return places;
}
