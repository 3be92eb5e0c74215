/** The order of the nearby machines (MAP-09). */
import type { Position } from '#shared/domain/position.ts';

export type ItemWithDistance<T> = { readonly item: T; readonly metres: number | undefined };

/**
 * Returns the items with their distance in metres, nearest first and those without a position last. Items at equal distances
 * keep their order.
 * @param metresTo returns the distance to a position in metres; undefined if the origin is unknown: the items then keep the given
 *   order and have no distances
 */
export function nearestFirst<T>(
  items: readonly T[],
  positionOfItem: (item: T) => Position | undefined,
  metresTo: ((position: Position) => number) | undefined,
): ItemWithDistance<T>[] {
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
