import { Polyline } from 'leaflet';
import { useEffect } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import styles from './route-line.module.css';

/** Width of the line, and of the rim below it, which makes the line stand out from any map. */
const LINE_PX = 3;
const RIM_PX = 5;
/** Free space around the line. */
const EDGE_PX = 32;
/** Maximum zoom, for the path of a machine that did not move. */
const CLOSEST_ZOOM = 18;

/**
 * Draws a blue path through the positions, with a white rim, and fits the map to it. A new list fits the map again: keep the
 * list while the path is the same.
 */
export function RouteLine({ path }: { readonly path: readonly Position[] }): undefined {
  const map = useMap();
  useEffect(() => {
    const points = path.map(({ lat, lon }): [number, number] => [lat, lon]);
    if (points.length === 0) return;
    const style = { interactive: false, lineJoin: 'round', smoothFactor: 1 } as const;
    const rim = new Polyline(points, { ...style, className: styles.rim ?? '', weight: RIM_PX }).addTo(map);
    const line = new Polyline(points, { ...style, className: styles.line ?? '', weight: LINE_PX }).addTo(map);
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
