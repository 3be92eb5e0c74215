import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readPresentMachines } from '#server/projects/present.ts';
import { readPlaceNames } from '#server/streams/place-names.ts';
import { visibleSince } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { nearestTownName } from '#shared/domain/nearest-town.ts';
import { type PlaceName, withProjectName } from '#shared/domain/place-text.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { isWorkingTime } from '#shared/domain/privacy.ts';

type Newest = { readonly streamId: number; readonly lat: number; readonly lon: number; readonly at: number };

/** The place of a machine by its newest position (times in ms), as far as a scope sees it. */
export type MachinePlace = {
  /** null: the scope sees the machine's project, but not its position. */
  readonly position: (Position & { readonly at: number }) | null;
  /** The terrein at the position, else the machine's project, else the nearest town. */
  readonly name: PlaceName;
};

/**
 * Returns where machines are now as a text, as far as a scope sees it, by stream: 'Terrein Werf Noord', 'Project Sluis', 'Omgeving Zwolle'.
 * @param now ms
 */
export async function readPlaceTexts(
  db: Database,
  scope: Scope,
  streamIds: readonly number[],
  now: number,
): Promise<Map<number, string>> {
  const places = await readMachinePlaces(db, scope, streamIds, now);
  return new Map(
    [...places].map(([streamId, { position, name }]) => {
      if (name.kind === 'town' && position) return [streamId, `Omgeving ${nearestTownName(position)}`];
      return [streamId, `${name.kind === 'terrein' ? 'Terrein' : 'Project'} ${name.name}`];
    }),
  );
}

/**
 * Returns where machines are now, as far as a scope sees it, by stream.
 * @param now ms
 */
export async function readMachinePlaces(
  db: Database,
  scope: Scope,
  streamIds: readonly number[],
  now: number,
): Promise<Map<number, MachinePlace>> {
  const places = new Map<number, MachinePlace>();
  if (streamIds.length === 0) return places;
  const rows = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<Newest>(
      `select stream_id, (signals->'LATITUDE'->>0)::float8 as lat, (signals->'LONGITUDE'->>0)::float8 as lon,
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
  const nameOf = await readPlaceNames(db, scope, streamIds);
  for (const { streamId, lat, lon, at } of rows) {
    const position = positionOf({ LATITUDE: lat, LONGITUDE: lon });
    const isSeen = !scope.positionHours || isWorkingTime(scope.positionHours, at);
    const since = Math.max(ownedSince.get(streamId) ?? at, visibleSince(scope, streamId));
    if (position && isSeen && at >= since)
      places.set(streamId, { position: { ...position, at }, name: nameOf(streamId, position, at) });
  }
  const present = await readPresentMachines(db, organizationsParameter(scope), scope.positionHours, now);
  const { rows: projects } = await db.query<{ id: number; name: string }>(
    'select id, name from project where id = any ($1)',
    [[...new Set(present.map(({ projectId }) => projectId))]],
  );
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const asked = new Set(streamIds);
  for (const { streamId, projectId } of present) {
    const project = names.get(projectId);
    if (!asked.has(streamId) || project === undefined) continue;
    const place = places.get(streamId);
    const ofProject: PlaceName = { kind: 'project', name: project };
    places.set(
      streamId,
      place ? { ...place, name: withProjectName(place.name, project) } : { position: null, name: ofProject },
    );
  }
  return places;
}
