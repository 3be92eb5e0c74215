import { DivIcon, Marker } from 'leaflet';
import { type ReactNode, useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import { MapPopup } from './map-popup.tsx';
import { actAsButton } from './marker.ts';
import styles from './point-marker.module.css';

type Kind = 'machine' | 'moment' | 'user' | 'begin' | 'end' | 'stop';

/** px; width, height, and where in it the place is. The words of both ends of a route stand beside it, and never on each other. */
const ICON_PX: Readonly<Record<Kind, readonly [width: number, height: number, x: number, y: number]>> = {
  machine: [30, 30, 15, 30],
  moment: [22, 22, 11, 11],
  user: [20, 20, 10, 10],
  begin: [48, 22, 62, 11],
  end: [48, 22, -14, 11],
  stop: [12, 12, 6, 6],
};
/** px; how far above the place of a pin the popup's point is. */
const LIFT_PX = 26;

/** Leaflet stacks markers by their y on the screen. */
const BELOW_OTHERS = -1000;

type PointMarkerProps = {
  readonly at: Position;
  /** What it is: a machine's pin, whose point is its bottom middle, the dot of a moment on a route or of the person,
   *  or what is marked of a route. */
  readonly kind: Kind;
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
    const [width, height, x, y] = ICON_PX[kind];
    const icon = new DivIcon({
      className: styles[kind] ?? '',
      iconSize: [width, height],
      iconAnchor: [x, y],
    });
    const created = new Marker([lat, lon], {
      icon,
      keyboard: hasPopup,
      interactive: hasPopup,
      ...(kind === 'user' && { title: label }),
      ...((kind === 'user' || kind === 'stop') && { zIndexOffset: BELOW_OTHERS }),
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
    <MapPopup
      at={at}
      lift={kind === 'machine' ? LIFT_PX : ICON_PX[kind][1] / 2}
      label={label}
      onClose={onClose}
    >
      {children}
    </MapPopup>
  );
}
