/** Where 'Navigeer erheen' leads: into the navigation of the phone, else to a map that plans a route. */
import { coordinate } from '#shared/domain/nl.ts';
import type { Position } from '#shared/domain/position.ts';

/** '52.100000,5.200000' */
const pointOf = ({ lat, lon }: Position): string => `${coordinate(lat)},${coordinate(lon)}`;

/**
 * Android asks the person which app takes a geo: address, with a name at the point; iPhones have no such address, and theirs
 * is Apple's own; on a desk nothing takes either.
 *
 * @param userAgent the browser's
 * @param label what the point is called
 */
export function navigationLink(to: Position, label: string, userAgent: string): string {
  const point = pointOf(to);
  // Brackets end the name.
  if (/android/i.test(userAgent))
    return `geo:${point}?q=${point}(${encodeURIComponent(label.replace(/[()]/g, ' ').trim())})`;
  if (/iphone|ipad|ipod/i.test(userAgent)) return `https://maps.apple.com/?daddr=${point}`;
  return `https://www.openstreetmap.org/directions?to=${point}`;
}

/** For the clipboard: as a search field of any map takes it. */
export const coordinatesText = ({ lat, lon }: Position): string => `${coordinate(lat)}, ${coordinate(lon)}`;
