/** Finds a place for a box on a map, clear of the elements over the map. All values are in pixels. */

export type PixelPoint = { readonly x: number; readonly y: number };
export type PixelRect = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};
type BoxSize = { readonly width: number; readonly height: number };

const overlapOf = (a: PixelRect, b: PixelRect): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const boxAt = ({ x, y }: PixelPoint, { width, height }: BoxSize): PixelRect => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});

/**
 * Returns the top left corner nearest to `wanted` at which the box lies inside the bounds and clear of the obstacles. If the box
 * fits nowhere, returns the corner with the least overlap; the top of the box never lies above the bounds.
 */
export function findClearSpot(
  size: BoxSize,
  wanted: PixelPoint,
  bounds: PixelRect,
  obstacles: readonly PixelRect[],
): PixelPoint {
  const within = (value: number, least: number, most: number): number =>
    Math.max(least, Math.min(most, value));
  const x = (value: number): number => within(value, bounds.left, bounds.right - size.width);
  const y = (value: number): number => within(value, bounds.top, bounds.bottom - size.height);
  // The nearest clear corner is the wanted one, or it touches an edge of the bounds or of an obstacle.
  const across = [wanted.x, ...obstacles.flatMap(({ left, right }) => [left - size.width, right])].map(x);
  const upright = [wanted.y, ...obstacles.flatMap(({ top, bottom }) => [top - size.height, bottom])].map(y);
  let best = { x: x(wanted.x), y: y(wanted.y) };
  let least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  for (const left of across)
    for (const top of upright) {
      const spot = { x: left, y: top };
      const box = boxAt(spot, size);
      const covered = obstacles.reduce((sum, obstacle) => sum + overlapOf(box, obstacle), 0);
      const far = Math.hypot(left - wanted.x, top - wanted.y);
      if (covered > least[0] || (covered === least[0] && far >= least[1])) continue;
      least = [covered, far];
      best = spot;
    }
  return best;
}

/** Returns the height of the highest box of this width that fits inside the bounds and clear of the obstacles. */
export function maxClearHeight(width: number, bounds: PixelRect, obstacles: readonly PixelRect[]): number {
  const lefts = [
    bounds.left,
    bounds.right - width,
    ...obstacles.flatMap((one) => [one.right, one.left - width]),
  ];
  let most = 0;
  for (const left of lefts) {
    if (left < bounds.left || left + width > bounds.right) continue;
    const column = { left, right: left + width, top: bounds.top, bottom: bounds.bottom };
    const blocking = obstacles.filter((one) => overlapOf(column, one) > 0).toSorted((a, b) => a.top - b.top);
    let top = bounds.top;
    for (const one of blocking) {
      most = Math.max(most, one.top - top);
      top = Math.max(top, one.bottom);
    }
    most = Math.max(most, bounds.bottom - top);
  }
  return most;
}
