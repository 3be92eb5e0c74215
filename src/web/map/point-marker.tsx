import { DivIcon, Marker } from 'leaflet';
import { type ReactNode, useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import { MapPopup } from './map-popup.tsx';
import { actAsButton } from './marker.ts';
import styles from './point-marker.module.css';

/** px. */
const ICON_PX = { machine: 30, moment: 22, user: 20 } as const;
/** px; how far above the place the popup's point is. */
const LIFT_PX = { machine: 26, moment: ICON_PX.moment / 2, user: ICON_PX.user / 2 } as const;

/** Leaflet stacks markers by their y on the screen. */
const BELOW_OTHERS = -1000;

type PointMarkerProps = {
  readonly at: Position;
  /** What it is: a machine's pin, whose point is its bottom middle, or the dot of a moment on a route or of the person. */
  readonly kind: keyof typeof ICON_PX;
  readonly label: string;
  /** The machine's data is old: it looks it. */
  readonly stale?: boolean;
  /** What its popup says; without it the marker is no button. */
  readonly children?: ReactNode;
};

/** One place on the map, which may move. */
export function PointMarker({ at, kind, label, stale = false, children }: PointMarkerProps): ReactNode {
  const map = useMap();
  const [marker, setMarker] = useState<Marker>();
  const [open, setOpen] = useState(false);
  const hasPopup = children !== undefined;
  const { lat, lon } = at;

  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves in the next effect, without being made again.
  useEffect(() => {
    const size = ICON_PX[kind];
    const icon = new DivIcon({
      className: styles[kind] ?? '',
      iconSize: [size, size],
      iconAnchor: [size / 2, kind === 'machine' ? size : size / 2],
    });
    const created = new Marker([lat, lon], {
      icon,
      keyboard: hasPopup,
      interactive: hasPopup,
      ...(kind === 'user' && { title: label, zIndexOffset: BELOW_OTHERS }),
    }).addTo(map);
    if (hasPopup) actAsButton(created, () => setOpen((was) => !was));
    setMarker(created);
    return () => void created.remove();
  }, [map, kind, hasPopup]);

  useEffect(() => void marker?.setLatLng([lat, lon]), [marker, lat, lon]);
  useEffect(() => {
    const element = marker?.getElement();
    if (!element) return;
    element.role = hasPopup ? 'button' : 'img';
    element.ariaLabel = label;
    element.dataset.stale = String(stale);
  }, [marker, label, stale, hasPopup]);

  if (!open || !hasPopup) return null;
  const onClose = (hadFocus: boolean): void => {
    if (hadFocus) marker?.getElement()?.focus({ preventScroll: true });
    setOpen(false);
  };
  return (
    <MapPopup at={at} lift={LIFT_PX[kind]} label={label} onClose={onClose}>
      {children}
    </MapPopup>
  );
}
