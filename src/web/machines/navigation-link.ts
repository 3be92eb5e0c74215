/** The target of 'Navigeer erheen': the navigation app of a phone, or a website that plans a route. */
import { formatCoordinate } from '#shared/domain/nl.ts';
import type { Position } from '#shared/domain/position.ts';

/** Returns a position in the form of navigation links: '52.100000,5.200000'. */
const pointOf = ({ lat, lon }: Position): string => `${formatCoordinate(lat)},${formatCoordinate(lon)}`;

/**
 * Returns a link that opens the device's navigation. Android offers the apps for a geo: address, with the label at the point;
 * iPhones open Apple's maps; other devices get a website.
 * @param userAgent of the browser
 * @param label name of the point
 */
export function navigationLink(to: Position, label: string, userAgent: string): string {
  const point = pointOf(to);
  // A bracket would end the label.
  if (/android/i.test(userAgent))
    return `geo:${point}?q=${point}(${encodeURIComponent(label.replace(/[()]/g, ' ').trim())})`;
  if (/iphone|ipad|ipod/i.test(userAgent)) return `https://maps.apple.com/?daddr=${point}`;
  return `https://www.openstreetmap.org/directions?to=${point}`;
}

/** Returns the coordinates in the form that search fields of maps accept. */
export const coordinatesText = ({ lat, lon }: Position): string =>
  `${formatCoordinate(lat)}, ${formatCoordinate(lon)}`;
