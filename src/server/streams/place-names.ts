import type { Database } from '#server/platform/database.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Area } from '#shared/domain/area.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type PlaceNamer, placeNamer } from '#shared/domain/place-text.ts';
import type { Position } from '#shared/domain/position.ts';

/** Returns the name of the place where a machine was at a time (ms), as the machine's owner at that time named it. */
export type PlaceNameLookup = (streamId: number, position: Position, time: number) => ReturnType<PlaceNamer>;

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::float8`;

/**
 * Reads the names of the places where machines were: of the terreinen that exist now, and of projects during their period. The caller
 * decides who may see the positions. A person with a limited scope sees no names of terreinen, and the names of the scope's projects only.
 */
export async function readPlaceNames(
  db: Database,
  { limited }: Scope,
  streamIds: readonly number[],
): Promise<PlaceNameLookup> {
  const { rows: owners } = await db.query<Range & { streamId: number; organizationId: number }>(
    `select stream_id, organization_id, ${ms('valid_from')} as "from", ${ms('valid_to')} as "to"
     from ownership where stream_id = any ($1)`,
    [[...new Set(streamIds)]],
  );
  const organizations = [...new Set(owners.map(({ organizationId }) => organizationId))];
  const { rows: terreinen } = await db.query<Named>(
    `select organization_id, name, areas from terrein
     where organization_id = any ($1) and deleted_at is null`,
    [limited ? [] : organizations],
  );
  const { rows: projects } = await db.query<
    Named & { firstDay: string; lastDay: string | null; deleted: number | null }
  >(
    `select organization_id, name, areas, first_day::text as first_day, last_day::text as last_day,
       ${ms('deleted_at')} as deleted from project where organization_id = any ($1)
       and ($2::integer[] is null or id = any ($2)) order by created_at, id`,
    [organizations, limited?.projects ?? null],
  );
  const own = <One extends Named>(all: readonly One[], id: number): One[] =>
    all.filter(({ organizationId }) => organizationId === id);
  const namers = new Map(
    organizations.map((id) => [
      id,
      placeNamer(
        own(terreinen, id),
        own(projects, id).map(({ name, areas, firstDay, lastDay, deleted }) => {
          const end =
            (lastDay === null ? undefined : amsterdamDayRange(lastDay)?.to) ?? Number.POSITIVE_INFINITY;
          return {
            name,
            areas,
            from: amsterdamDayRange(firstDay)?.from ?? 0,
            to: Math.min(end, deleted ?? end),
          };
        }),
      ),
    ]),
  );
  const ofStream = Map.groupBy(owners, ({ streamId }) => streamId);
  return (streamId, position, time) => {
    const owner = ofStream.get(streamId)?.find(({ from, to }) => from <= time && time < to);
    return (namers.get(owner?.organizationId ?? 0) ?? NO_AREAS)(position, time);
  };
}

type Named = { readonly organizationId: number; readonly name: string; readonly areas: readonly Area[] };
const NO_AREAS = placeNamer([], []);
