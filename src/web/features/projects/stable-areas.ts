import { useRef } from 'react';
import type { Area } from '#shared/domain/area.ts';

/** Returns the same array as before while its areas are equal, so that the map does not draw them again. */
export function useStableAreas(found: readonly Area[]): readonly Area[] {
  const kept = useRef<readonly Area[]>([]);
  if (JSON.stringify(kept.current) !== JSON.stringify(found)) kept.current = found;
  return kept.current;
}
