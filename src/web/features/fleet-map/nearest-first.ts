/** The order of the machines nearby (MAP-09). */
import { distanceMetres } from '#shared/domain/distance.ts';
import type { Position } from '#shared/domain/position.ts';

export type Nearby<T> = { readonly item: T; readonly metres: number | undefined };

/**
 * The items with their distance in metres, nearest first; equally far ones and those without a position (last)
 * keep the order they came in. When `from` is not known: all in received order, without distances.
 */
export function nearestFirst<T>(
  items: readonly T[],
  positionOfItem: (item: T) => Position | undefined,
  from: Position | undefined,
): Nearby<T>[] {
  const nearby = items.map((item) => {
    const position = from && positionOfItem(item);
    return { item, metres: from && position && distanceMetres(from, position) };
  });
  return from ? nearby.sort((a, b) => byMetres(a.metres, b.metres)) : nearby;
}

function byMetres(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a - b;
}
