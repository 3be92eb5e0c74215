import { DivIcon, Marker } from 'leaflet';
import { type ReactNode, useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import { MapPopup } from './map-popup.tsx';
import styles from './marker.module.css';
import { actAsButton } from './marker-button.ts';

/** px. */
const DOT_PX = 20;
/** MAP-03. */
const LABEL = 'You are here';

/** Where the person is: a blue dot, with a popup that says so (MAP-03). */
export function UserMarker({ at }: { readonly at: Position }): ReactNode {
  const map = useMap();
  const [marker, setMarker] = useState<Marker>();
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const icon = new DivIcon({ className: styles.user ?? '', iconSize: [DOT_PX, DOT_PX] });
    const created = new Marker([at.lat, at.lon], { icon, title: LABEL, zIndexOffset: -1000 }).addTo(map);
    created.getElement()?.setAttribute('aria-label', LABEL);
    actAsButton(created, () => setOpen((was) => !was));
    setMarker(created);
    return () => void created.remove();
  }, [map, at]);

  if (!open) return null;
  const onClose = (hadFocus: boolean): void => {
    if (hadFocus) marker?.getElement()?.focus({ preventScroll: true });
    setOpen(false);
  };
  return (
    <MapPopup at={at} lift={DOT_PX / 2} label={LABEL} onClose={onClose}>
      <p className={styles.here}>{LABEL}</p>
    </MapPopup>
  );
}
