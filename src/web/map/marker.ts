/** The two markers of the fleet, and what makes a marker a button. */
import { DivIcon, type LeafletKeyboardEvent, Marker } from 'leaflet';
import type { MachineStatus } from '#shared/domain/machine-status.ts';
import { plainNumber, statusInWords } from '#shared/domain/nl.ts';
import type { Position } from '#shared/domain/position.ts';
import styles from './marker.module.css';
import type { ClusterSpot } from './marker-index.ts';

/**
 * What the map knows of a machine. Unchanged machines must keep their identity from one update to the next:
 * that is how the map sees what to leave alone.
 */
export type MapMachine = Position & {
  /** Serial number, or loggerid of an LMB logger. */
  readonly id: string;
  readonly alias: string;
  readonly status: MachineStatus;
  readonly stale: boolean;
};

/** px; MAP-04: 30x30. The pin's point is its bottom middle. */
const ICON_PX = 30;

/** The signs of all statuses; the sheet shows the one of the machine's. */
const BADGE = `<svg class="${styles.badge}" viewBox="0 0 16 16" aria-hidden="true">
  <circle class="${styles.plate}" cx="8" cy="8" r="7.2"/>
  <path class="${styles.charging}" d="M9.3 2.8 4.5 8.9h2.9l-.8 4.3 4.9-6.2H8.6Z"/>
  <path class="${styles.running}" d="M6.2 4.6v6.8L11.8 8Z"/>
  <circle class="${styles.off}" cx="8" cy="8" r="3.6"/>
</svg>`;

/** An orange pin that acts as a button named after the machine and its status. Add it to a map, then dress it. */
export function machineMarker(machine: MapMachine): Marker {
  return new Marker([machine.lat, machine.lon], {
    icon: new DivIcon({
      className: styles.machine ?? '',
      html: BADGE,
      iconSize: [ICON_PX, ICON_PX],
      iconAnchor: [ICON_PX / 2, ICON_PX],
    }),
    riseOnHover: true,
  });
}

/** Changes only attributes: the icon itself is never made again. Names go through the DOM, never through HTML. */
export function dressMachineMarker(marker: Marker, { alias, status, stale }: MapMachine): void {
  const element = marker.getElement();
  if (!element) return;
  element.title = alias;
  element.dataset.status = status;
  element.dataset.stale = String(stale);
  element.setAttribute('aria-label', `${alias}, ${statusInWords(status, stale)}`);
}

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

/** Makes a marker act as a button: a click, Enter or Space calls `onActivate`. */
export function actAsButton(marker: Marker, onActivate: () => void): void {
  marker.on('click', onActivate);
  marker.on('keydown', ({ originalEvent: event }: LeafletKeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault(); // Space would scroll, Enter would click once more.
    onActivate();
  });
}
