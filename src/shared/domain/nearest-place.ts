/** Roughly where something is, for who has no map before them. */
import { distanceMetres } from './distance.ts';
import { decimals } from './nl.ts';
import { PLACES, type Place } from './places.ts';
import type { Position } from './position.ts';

/** m; nearer is the place itself, whose centre is known to 0.01 degree. */
const IN_PLACE_METRES = 4_000;

/** The nearest of the places that the built-in map names: 'Zwolle', '12 km van Zwolle'. */
export function nearestPlace(at: Position): string {
  const place = nearest(at);
  const metres = distanceMetres(at, { lat: place.latitude, lon: place.longitude });
  return metres < IN_PLACE_METRES ? place.name : `${decimals(metres / 1000, 0)} km van ${place.name}`;
}

/** Its name alone, the same for all that is near each other. */
export const placeNear = (at: Position): string => nearest(at).name;

/** By the map laid flat: ten thousand machines are asked of at once, and what is near is in the right order. */
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
