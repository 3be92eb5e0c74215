/** Names an approximate location by the nearest town. */
import { distanceMetres } from './distance.ts';
import { decimals } from './nl.ts';
import { PLACES, type Place } from './places.ts';
import type { Position } from './position.ts';

/** A position within this distance is in the town, whose centre is known to 0.01 degree. */
const IN_PLACE_METRES = 4_000;

/** Returns the nearest of the built-in map's towns: 'Zwolle' or '12 km van Zwolle'. */
export function nearestPlace(at: Position): string {
  const place = nearest(at);
  const metres = distanceMetres(at, { lat: place.latitude, lon: place.longitude });
  return metres < IN_PLACE_METRES ? place.name : `${decimals(metres / 1000, 0)} km van ${place.name}`;
}

/** Returns the name of the nearest town without the distance. */
export const placeNear = (at: Position): string => nearest(at).name;

/** Compares distances on a flat map, which is fast enough for ten thousand machines and exact enough for near towns. */
function nearest({ lat, lon }: Position): Place {
  const width = Math.cos((lat * Math.PI) / 180);
  let least = Number.POSITIVE_INFINITY;
  let found = PLACES[0] as Place;
  for (const place of PLACES) {
    const y = place.latitude - lat;
    const x = (place.longitude - lon) * width;
    const apart = x * x + y * y;
    if (apart >= least) continue;
    least = apart;
    found = place;
  }
  return found;
}
