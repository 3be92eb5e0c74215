import { DivIcon, Marker } from 'leaflet';
import { type ReactNode, useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import { MapPopup } from './map-popup.tsx';
import { actAsButton } from './marker.ts';
import styles from './point-marker.module.css';

type Kind = 'machine' | 'moment' | 'user' | 'begin' | 'end' | 'stop';

/**
 * Size of each icon in pixels, and the point in it that lies on the position. The labels of a route's ends are beside the
 * position, on opposite sides.
 */
const ICON_PX: Readonly<Record<Kind, readonly [width: number, height: number, x: number, y: number]>> = {
  machine: [30, 30, 15, 30],
  moment: [22, 22, 11, 11],
  user: [20, 20, 10, 10],
  begin: [48, 22, 62, 11],
  end: [48, 22, -14, 11],
  stop: [12, 12, 6, 6],
};
/** Distance from a pin's position to the tip of its popup. */
const LIFT_PX = 26;

/** Added to the stacking order, which in Leaflet is a marker's y on the screen: puts a marker below all others. */
const BELOW_OTHERS = -1000;

type PointMarkerProps = {
  readonly at: Position;
  /** A machine's pin, whose tip is at `at`; a dot for a chosen point or for the user; or the begin, end or a stop of a route. */
  readonly kind: Kind;
  readonly label: string;
  /** Greys the marker, for old data. */
  readonly stale?: boolean;
  /** Content of the marker's popup; a marker without content is no button. */
  readonly children?: ReactNode;
};

/** A marker at a position, which may change. */
export function PointMarker({ at, kind, label, stale = false, children }: PointMarkerProps): ReactNode {
  const map = useMap();
  const [marker, setMarker] = useState<Marker>();
  const [open, setOpen] = useState(false);
  const hasPopup = children !== undefined;
  const { lat, lon } = at;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the next effect moves the marker without making it again.
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
