/** Finds origins by a typed text. An origin is the place from which the distances to the nearby machines are measured. */
import { type Area, boxOf, signedDistanceMetres } from '#shared/domain/area.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { TOWNS } from '#shared/domain/towns.ts';
import { parseTypedPosition } from '#shared/domain/typed-position.ts';
import { containsAllWords, foldText, searchWordsOf } from '#shared/domain/word-search.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';

/** A project or terrein (a yard, a depot) with its areas on the map; without areas, distances cannot be measured from it. */
export type NamedArea = {
  /** Key in the page's address: 'project-12'. */
  readonly key: string;
  readonly name: string;
  readonly sort: 'Project' | 'Terrein';
  readonly areas: readonly Area[];
};

export type NearbyOrigin = {
  readonly key: string;
  readonly name: string;
  readonly sort: NamedArea['sort'] | 'Plaats' | 'Machine' | 'Coördinaten';
  readonly at: Position;
  /** Areas of the origin: distances are measured from the edge of the nearest one. Undefined: distances are measured from `at`. */
  readonly areas?: readonly Area[];
};

/** The projects, terreinen and machines among which origins are searched. */
export type OriginSources = { readonly areas: readonly NamedArea[]; readonly fleet: readonly FleetEntry[] };

/** Number of decimals of a degree in the key of an origin with coordinates; five decimals are precise to about a metre. */
const DECIMALS = 5;
/** At most this many results are shown, because more would fill the panel. */
const MAX_FOUND = 6;

const NO_MATCH =
  'Niets gevonden. Typ een project, een machine, een grotere plaats in de buurt of coördinaten, zoals 52,01 4,71.';
const OFF_THE_GLOBE =
  'Deze coördinaten bestaan niet: de breedte is hoogstens 90 en de lengte hoogstens 180 graden.';
const noArea = ({ sort, name }: NamedArea): string => `${sort} ${name} heeft geen gebied op de kaart.`;

/** Result of a search: the origins, best first, or a Dutch text why there are none. */
export type FoundOrigins = { readonly origins: readonly NearbyOrigin[]; readonly error: string | undefined };

/**
 * Returns the origins for a typed text: the place with these coordinates, or the projects, terreinen, machines and
 * towns whose name contains all words.
 */
export function findOrigins(text: string, { areas, fleet }: OriginSources): FoundOrigins {
  const typed = parseTypedPosition(text);
  if (typed === 'off') return { origins: [], error: OFF_THE_GLOBE };
  const words = searchWordsOf(text);
  if (words.length === 0) return { origins: [], error: undefined };
  const isFound = (name: string): boolean => containsAllWords(foldText(name), words);
  const named = areas.filter(({ name }) => isFound(name));
  const origins = [
    ...named.flatMap(areaOrigin),
    ...fleet.flatMap((entry) => {
      const { alias, serialNumber } = entry.metadata;
      return isFound(`${alias} ${serialNumber}`) ? machineOrigin(entry) : [];
    }),
    ...TOWNS.filter(({ name }) => isFound(name)).map(townOrigin),
  ];
  const start = words.join(' ');
  const isBegin = ({ name }: NearbyOrigin): boolean => foldText(name).startsWith(start);
  const best = [...origins.filter(isBegin), ...origins.filter((one) => !isBegin(one))];
  const found = [...(typed ? [pointOrigin(typed)] : []), ...best].slice(0, MAX_FOUND);
  const [bare] = named;
  return { origins: found, error: found.length > 0 ? undefined : bare ? noArea(bare) : NO_MATCH };
}

/** Returns the origin with a key from the page's address; undefined if there is no such origin or it is not loaded yet. */
export function findOriginByKey(
  key: string | null,
  { areas, fleet }: OriginSources,
): NearbyOrigin | undefined {
  if (key === null) return undefined;
  const [, sort, rest = ''] = /^(machine|plaats)-(.+)$/.exec(key) ?? [];
  if (sort === 'machine') {
    const entry = fleet.find(({ metadata }) => metadata.serialNumber === rest);
    return entry && machineOrigin(entry)[0];
  }
  if (sort === 'plaats') {
    const town = TOWNS.find(({ name }) => name === rest);
    return town && townOrigin(town);
  }
  const area = areas.find((one) => one.key === key);
  if (area) return areaOrigin(area)[0];
  const point = parseTypedPosition(key);
  return point && point !== 'off' ? pointOrigin(point) : undefined;
}

/** Returns the distance from an origin in metres, 0 inside its areas. */
export const metresFrom = ({ at, areas }: NearbyOrigin, position: Position): number =>
  areas
    ? Math.max(0, Math.min(...areas.map((area) => signedDistanceMetres(area, position))))
    : distanceMetres(at, position);

function areaOrigin({ key, name, sort, areas }: NamedArea): NearbyOrigin[] {
  const [first] = areas;
  return first ? [{ key, name, sort, areas, at: middleOf(first) }] : [];
}

function middleOf(area: Area): Position {
  const { south, west, north, east } = boxOf(area);
  return { lat: (south + north) / 2, lon: (west + east) / 2 };
}

const townOrigin = ({ name, latitude, longitude }: (typeof TOWNS)[number]): NearbyOrigin => ({
  key: `plaats-${name}`,
  name,
  sort: 'Plaats',
  at: { lat: latitude, lon: longitude },
});

function machineOrigin({ metadata, liveData }: FleetEntry): NearbyOrigin[] {
  const at = positionOf(liveData);
  if (!at) return [];
  const { alias, serialNumber } = metadata;
  return [{ key: `machine-${serialNumber}`, name: alias || serialNumber, sort: 'Machine', at }];
}

function pointOrigin(at: Position): NearbyOrigin {
  const [lat, lon] = [at.lat, at.lon].map((degrees) => Number(degrees.toFixed(DECIMALS)));
  const name = `${lat}, ${lon}`;
  return { key: `${lat},${lon}`, name, sort: 'Coördinaten', at };
}
