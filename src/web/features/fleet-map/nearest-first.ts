/** The order of the machines nearby (MAP-09). */
import type { Position } from '#shared/domain/position.ts';

export type Nearby<T> = { readonly item: T; readonly metres: number | undefined };

/**
 * The items with their distance in metres, nearest first; equally far ones and those without a position (last)
 * keep the order they came in.
 * @param metresTo how far a position is; undefined: from where is not known, and all stay in received order, without distances
 */
export function nearestFirst<T>(
  items: readonly T[],
  positionOfItem: (item: T) => Position | undefined,
  metresTo: ((position: Position) => number) | undefined,
): Nearby<T>[] {
  const nearby = items.map((item) => {
    const position = metresTo && positionOfItem(item);
    return { item, metres: position && metresTo?.(position) };
  });
  return metresTo ? nearby.sort((a, b) => byMetres(a.metres, b.metres)) : nearby;
}

function byMetres(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a - b;
}
