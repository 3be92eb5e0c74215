import { Polyline } from 'leaflet';
import { useEffect } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import styles from './route-line.module.css';

/** px; the rim keeps the line apart from any map below it. */
const LINE_PX = 3;
const RIM_PX = 5;
/** px that stay free around the line. */
const EDGE_PX = 32;
/** A machine that stood still is not looked at through a microscope. */
const CLOSEST_ZOOM = 18;

/**
 * A blue path through the positions, with a white rim. The map moves to show all of it, once for every other list:
 * keep the list the same object while it is the same path.
 */
export function RouteLine({ path }: { readonly path: readonly Position[] }): undefined {
  const map = useMap();
  useEffect(() => {
    const points = path.map(({ lat, lon }): [number, number] => [lat, lon]);
    if (points.length === 0) return;
    const look = { interactive: false, lineJoin: 'round', smoothFactor: 1 } as const;
    const rim = new Polyline(points, { ...look, className: styles.rim ?? '', weight: RIM_PX }).addTo(map);
    const line = new Polyline(points, { ...look, className: styles.line ?? '', weight: LINE_PX }).addTo(map);
    map.fitBounds(line.getBounds(), {
      padding: [EDGE_PX, EDGE_PX],
      maxZoom: CLOSEST_ZOOM,
      animate: false,
    });
    return () => {
      rim.remove();
      line.remove();
    };
  }, [map, path]);
}
