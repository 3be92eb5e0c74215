import { DivIcon, Marker } from 'leaflet';
import { statusLabel } from '#shared/domain/nl.ts';
import type { MapMachine } from './map-machine.ts';
import styles from './marker.module.css';

/** px; MAP-04: 30x30. The pin's point is its bottom middle. */
const ICON_PX = 30;

/** An orange pin that acts as a button named after the machine and its status. Add it to a map, then dress it. */
export function machineMarker(machine: MapMachine): Marker {
  return new Marker([machine.lat, machine.lon], {
    icon: new DivIcon({
      className: styles.machine ?? '',
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
  element.setAttribute('aria-label', `${alias}, ${statusLabel(status)}${stale ? ', verouderd' : ''}`);
}
