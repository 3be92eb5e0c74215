/** Names a place: by the terrein that it lies on, else the project, else the nearest town (docs/words.md). */
import { type Area, type Box, boxOf, signedDistanceMetres, sortBySmallestArea } from './area.ts';
import type { Range } from './intervals.ts';
import { nearestTown } from './nearest-town.ts';
import type { Position } from './position.ts';

/** A terrein or project with its areas; a project counts only from `from` to `to`, ms. */
export type NamedAreas = { readonly name: string; readonly areas: readonly Area[] } & Partial<Range>;

export type PlaceName = { readonly kind: 'terrein' | 'project' | 'town'; readonly name: string };

/** Returns the name of a position at a time (ms). */
export type PlaceNamer = (position: Position, time: number) => PlaceName;

type Found = { readonly name: string; readonly area: Area; readonly box: Box } & Range;

/** Sorts the areas by size, then by name. */
const bySize = (all: readonly NamedAreas[]): Found[] =>
  sortBySmallestArea(
    all
      .toSorted((a, b) => a.name.localeCompare(b.name, 'nl'))
      .flatMap(({ name, areas, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) =>
        areas.map((area) => ({ name, area, box: boxOf(area), from, to })),
      ),
  );

function nameAt(found: readonly Found[], position: Position, time: number): string | undefined {
  const { lat, lon } = position;
  return found.find(
    ({ area, box, from, to }) =>
      from <= time &&
      time < to &&
      box.south <= lat &&
      lat <= box.north &&
      box.west <= lon &&
      lon <= box.east &&
      signedDistanceMetres(area, position) <= 0,
  )?.name;
}

/** Returns the function that names places of one organization. If areas overlap, the smallest wins. */
export function placeNamer(terreinen: readonly NamedAreas[], projects: readonly NamedAreas[]): PlaceNamer {
  const [own, work] = [bySize(terreinen), bySize(projects)];
  return (position, time) => {
    const terrein = nameAt(own, position, time);
    if (terrein !== undefined) return { kind: 'terrein', name: terrein };
    const project = nameAt(work, position, time);
    return project === undefined
      ? { kind: 'town', name: nearestTown(position) }
      : { kind: 'project', name: project };
  };
}

/** Returns the name of a place, replaced by that of the machine's project (null: none) unless the place is on a terrein. */
export const withProjectName = (place: PlaceName, project: string | null): PlaceName =>
  project === null || place.kind === 'terrein' ? place : { kind: 'project', name: project };

/** Returns 'op terrein Werf Noord', 'op project Sluis', 'in Gouda' or '3 km van Gouda'. */
export function placePhrase({ kind, name }: PlaceName): string {
  if (kind !== 'town') return `op ${kind} ${name}`;
  return /^\d/.test(name) ? name : `in ${name}`;
}
