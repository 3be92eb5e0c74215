import { useRef } from 'react';
import type { Area } from '#shared/domain/area.ts';

/** Returns the same list as before while no area in it changed, so that the map does not draw it again. */
export function useKeptAreas(found: readonly Area[]): readonly Area[] {
  const kept = useRef<readonly Area[]>([]);
  if (JSON.stringify(kept.current) !== JSON.stringify(found)) kept.current = found;
  return kept.current;
}
