import type { WorldBox } from './mercator.ts';

/** Points as x0, y0, x1, y1, … A ring is closed without repeating its first point at the end. */
export type FlatPoints = ArrayLike<number>;

/** The four sides of a box: which coordinate is compared (0 = x, 1 = y), with what, on which side is inside. */
function sides(box: WorldBox): { axis: 0 | 1; limit: number; sign: 1 | -1 }[] {
  return [
    { axis: 0, limit: box.minX, sign: 1 },
    { axis: 0, limit: box.maxX, sign: -1 },
    { axis: 1, limit: box.minY, sign: 1 },
    { axis: 1, limit: box.maxY, sign: -1 },
  ];
}

/**
 * The part of a filled ring inside the box (Sutherland-Hodgman), empty when none is. Where the ring leaves the
 * box the result runs along the box's edge, so a stroke needs a box a little wider than what is shown.
 */
export function clipRing(ring: FlatPoints, box: WorldBox): number[] {
  let points: FlatPoints = ring;
  for (const { axis, limit, sign } of sides(box)) {
    const kept: number[] = [];
    const count = points.length;
    if (count === 0) return [];
    let fromX = points[count - 2]!;
    let fromY = points[count - 1]!;
    let fromInside = ((axis === 0 ? fromX : fromY) - limit) * sign >= 0;
    for (let at = 0; at < count; at += 2) {
      const x = points[at]!;
      const y = points[at + 1]!;
      const inside = ((axis === 0 ? x : y) - limit) * sign >= 0;
      if (inside !== fromInside) {
        const share = axis === 0 ? (limit - fromX) / (x - fromX) : (limit - fromY) / (y - fromY);
        if (axis === 0) kept.push(limit, fromY + (y - fromY) * share);
        else kept.push(fromX + (x - fromX) * share, limit);
      }
      if (inside) kept.push(x, y);
      fromX = x;
      fromY = y;
      fromInside = inside;
    }
    points = kept;
  }
  return points as number[];
}

/** The pieces of a line inside the box (Liang-Barsky per segment), in order. */
export function clipLine(line: FlatPoints, box: WorldBox): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let at = 0; at + 3 < line.length; at += 2) {
    const segment = clipSegment(line[at]!, line[at + 1]!, line[at + 2]!, line[at + 3]!, box);
    if (segment === undefined) continue;
    const [x1, y1, x2, y2] = segment;
    const joins = piece.length > 0 && piece[piece.length - 2] === x1 && piece[piece.length - 1] === y1;
    if (!joins) {
      piece = [x1, y1];
      pieces.push(piece);
    }
    piece.push(x2, y2);
  }
  return pieces;
}

function clipSegment(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  box: WorldBox,
): [number, number, number, number] | undefined {
  const dx = x2 - x1;
  const dy = y2 - y1;
  let enter = 0;
  let leave = 1;
  // Per side: how fast the segment moves outwards, and how far inside it starts.
  for (const [outwards, room] of [
    [-dx, x1 - box.minX],
    [dx, box.maxX - x1],
    [-dy, y1 - box.minY],
    [dy, box.maxY - y1],
  ] as const) {
    if (outwards === 0) {
      if (room < 0) return undefined;
    } else if (outwards < 0) enter = Math.max(enter, room / outwards);
    else leave = Math.min(leave, room / outwards);
  }
  if (enter > leave) return undefined;
  // Untouched ends keep their exact value, so that the next segment is seen to join.
  return [
    enter === 0 ? x1 : x1 + dx * enter,
    enter === 0 ? y1 : y1 + dy * enter,
    leave === 1 ? x2 : x1 + dx * leave,
    leave === 1 ? y2 : y1 + dy * leave,
  ];
}
