import { useCallback } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { useMap } from './leaflet-map.tsx';
import { isCalm } from './motion.ts';

/** MAP-10: zoom 17 in 0.5 s. */
const FLY_ZOOM = 17;
const FLY_SECONDS = 0.5;

/** Flies the map to a position, or jumps there for who wants no movement. Resolves when it has stopped. */
export function useFlyTo(): (to: Position) => Promise<void> {
  const map = useMap();
  return useCallback(
    ({ lat, lon }) =>
      new Promise((arrived) => {
        // First, since the end of an earlier movement would look like ours.
        map.stop();
        map.once('moveend', () => arrived());
        if (isCalm()) map.setView([lat, lon], FLY_ZOOM, { animate: false });
        else map.flyTo([lat, lon], FLY_ZOOM, { duration: FLY_SECONDS });
      }),
    [map],
  );
}
