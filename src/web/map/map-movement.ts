/** Moves the map by program. */
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { fittingView, type Insets, type MapView } from './fitting-view.ts';
import { prefersReducedMotion, useMap } from './leaflet-map.tsx';

/** MAP-10 prescribes a flight of 0.5 s to zoom 17. */
const FLY_ZOOM = 17;
const FLY_SECONDS = 0.5;

/**
 * Returns a function that flies the map to a position, or jumps there with reduced motion. It resolves when the map has
 * stopped.
 */
export function useFlyTo(): (to: Position) => Promise<void> {
  const map = useMap();
  return useCallback(
    ({ lat, lon }) =>
      new Promise((arrived) => {
        // Stops first, because the end of an earlier movement would also fire 'moveend'.
        map.stop();
        map.once('moveend', () => arrived());
        if (prefersReducedMotion()) map.setView([lat, lon], FLY_ZOOM, { animate: false });
        else map.flyTo([lat, lon], FLY_ZOOM, { duration: FLY_SECONDS });
      }),
    [map],
  );
}

/** Calls `onMoved` with the view whenever the map has stopped moving, and moves the map when `at` is another object. */
export function SyncMapView({
  at,
  onMoved,
}: {
  readonly at: MapView;
  readonly onMoved: (view: MapView) => void;
}): undefined {
  const map = useMap();
  const seen = useRef(at);
  const notifyMoved = useEffectEvent(onMoved);
  useEffect(() => {
    if (seen.current === at) return;
    seen.current = at;
    map.stop();
    map.setView([at.centre.lat, at.centre.lon], at.zoom, { animate: false });
  }, [map, at]);
  useEffect(() => {
    const onMoveEnd = (): void => {
      const { lat, lng } = map.getCenter();
      notifyMoved({ centre: { lat, lon: lng }, zoom: map.getZoom() });
    };
    map.on('moveend', onMoveEnd);
    return () => void map.off('moveend', onMoveEnd);
  }, [map]);
}

/** Maximum zoom when the map fits places, however few there are. */
const FIT_ZOOM = 17;

/** Returns a function that moves the map so that all places are visible, and none is in the insets. */
export function useFitMap(): (places: readonly Position[], insets: Insets, deepest?: number) => void {
  const map = useMap();
  return (places, insets, deepest = FIT_ZOOM) => {
    const { x: width, y: height } = map.getSize();
    const view = fittingView(places, { width, height }, insets, deepest);
    if (!view) return;
    map.stop();
    map.setView([view.centre.lat, view.centre.lon], view.zoom, { animate: !prefersReducedMotion() });
  };
}

/** Returns a function that returns whether the user has moved, zoomed or pressed the map. */
export function useWasMapTouched(): () => boolean {
  const map = useMap();
  const isTouched = useRef(false);
  useEffect(() => {
    const container = map.getContainer();
    const touch = (): void => {
      isTouched.current = true;
    };
    for (const name of TOUCHES) container.addEventListener(name, touch, { passive: true });
    return () => {
      for (const name of TOUCHES) container.removeEventListener(name, touch);
    };
  }, [map]);
  return useCallback(() => isTouched.current, []);
}

const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const;

/** Distance that a position keeps from the map's edge. */
const EDGE_PX = 40;

/**
 * Centres the map on the first position, and moves it just enough to keep later positions in view, unless the user has moved
 * the map away.
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
      map.panInside([at.lat, at.lon], { padding: [EDGE_PX, EDGE_PX], animate: !prefersReducedMotion() });
    }
  }, [map, at]);
}
