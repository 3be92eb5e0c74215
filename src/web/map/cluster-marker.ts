import { DivIcon, Marker } from 'leaflet';
import { plainNumber } from '#shared/domain/nl.ts';
import styles from './marker.module.css';
import type { ClusterSpot } from './marker-index.ts';

/** px: larger with the number of digits, never under the 44 px that a finger needs. */
const sizePx = (count: number): number => (count < 100 ? 44 : count < 1000 ? 50 : 58);

function icon(count: number): DivIcon {
  const size = sizePx(count);
  return new DivIcon({ className: styles.cluster ?? '', iconSize: [size, size] });
}

/** A bubble with a count that acts as a button. Add it to a map, then dress it. */
export const clusterMarker = (spot: ClusterSpot): Marker =>
  new Marker([spot.lat, spot.lon], { icon: icon(spot.count), riseOnHover: true });

/** Writes the count; a new icon only when the bubble needs another size. */
export function dressClusterMarker(marker: Marker, before: ClusterSpot | undefined, spot: ClusterSpot): void {
  if (before && sizePx(before.count) !== sizePx(spot.count)) marker.setIcon(icon(spot.count));
  const element = marker.getElement();
  if (!element) return;
  element.textContent = plainNumber(spot.count);
  element.setAttribute('aria-label', `${plainNumber(spot.count)} machines, inzoomen`);
}
