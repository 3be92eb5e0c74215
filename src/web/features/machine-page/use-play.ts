import { useEffect, useEffectEvent, useState } from 'react';
import { prefersReducedMotion } from '#web/map/leaflet-map.tsx';

/** Duration of playing a route with many points; playing a route with few points takes less. */
const WHOLE_MS = 30_000;
const STEP_MS = 100;
/** Time between two steps for users who prefer reduced motion, for whom the point jumps instead of moving. */
const CALM_STEP_MS = 1_000;

/**
 * Plays the points of a route one after the other.
 * @param count number of points @param index index of the shown point
 */
export function useRoutePlayback(count: number, index: number, onIndex: (index: number) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const advance = useEffectEvent((by: number) => {
    const next = Math.min(index + by, count - 1);
    onIndex(next);
    if (next === count - 1) setPlaying(false);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const every = prefersReducedMotion() ? CALM_STEP_MS : STEP_MS;
    const timer = setInterval(() => advance(Math.max(1, Math.ceil((count * every) / WHOLE_MS))), every);
    return () => clearInterval(timer);
  }, [isPlaying, count]);
  return {
    isPlaying,
    stop: () => setPlaying(false),
    toggle: () => {
      // At the end, playing starts again from the first point.
      if (!isPlaying && index === count - 1) onIndex(0);
      setPlaying(!isPlaying);
    },
  };
}
