/** Names an approximate location by the nearest town. */
import { distanceMetres } from './distance.ts';
import { formatDecimals } from './nl.ts';
import type { Position } from './position.ts';
import { TOWNS, type Town } from './towns.ts';

/** A position within this distance is in the town, whose centre is known to 0.01 degree. */
const IN_PLACE_METRES = 4_000;

/** Returns the nearest of the built-in map's towns: 'Zwolle' or '12 km van Zwolle'. */
export function nearestTown(at: Position): string {
  const town = nearest(at);
  const metres = distanceMetres(at, { lat: town.latitude, lon: town.longitude });
  return metres < IN_PLACE_METRES ? town.name : `${formatDecimals(metres / 1000, 0)} km van ${town.name}`;
}

/** Returns the name of the nearest town without the distance. */
export const nearestTownName = (at: Position): string => nearest(at).name;

/** Compares distances on a flat map, which is fast enough for ten thousand machines and exact enough for near towns. */
function nearest({ lat, lon }: Position): Town {
  const width = Math.cos((lat * Math.PI) / 180);
  let least = Number.POSITIVE_INFINITY;
  let found = TOWNS[0] as Town;
  for (const town of TOWNS) {
    const y = town.latitude - lat;
    const x = (town.longitude - lon) * width;
    const apart = x * x + y * y;
    if (apart >= least) continue;
    least = apart;
    found = town;
  }
  return found;
}
