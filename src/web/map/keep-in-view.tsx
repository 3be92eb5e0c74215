import { useEffect, useRef } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import { isCalm } from './motion.ts';

/** px between the position and the map's edge. */
const EDGE_PX = 40;

/**
 * Centres the map on the first position, and moves it no more than is needed to keep later ones in view; not while
 * the person has moved the map away from it.
 */
export function KeepInView({ at }: { readonly at: Position }): undefined {
  const map = useMap();
  const followed = useRef<Position>(undefined);
  useEffect(() => {
    const before = followed.current;
    followed.current = at;
    if (!before) {
      map.setView([at.lat, at.lon], map.getZoom(), { animate: false });
    } else if (map.getBounds().contains([before.lat, before.lon])) {
      map.panInside([at.lat, at.lon], { padding: [EDGE_PX, EDGE_PX], animate: !isCalm() });
    }
  }, [map, at]);
}
