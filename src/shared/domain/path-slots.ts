/**
 * Where to look for the points of a path that has too many readings to read them all (MDET-12). A third of the slots is
 * spread over the time that has readings, two thirds over the distance gone: a machine that drives gets the most of them,
 * one that stands still, or whose receiver is silent every other reading, enough.
 */

/** Half-open, ms. */
type Slot = { readonly from: number; readonly to: number };

/** What the roll-up knows of a piece of time. In order, not overlapping. */
export type Cell = Slot & { readonly metres: number };

/** At most `count` slots, in order, not overlapping; together they are the cells that have readings. */
export function pathSlots(cells: readonly Cell[], count: number): Slot[] {
  const metres = cells.reduce((sum, cell) => sum + cell.metres, 0);
  const ms = cells.reduce((sum, cell) => sum + (cell.to - cell.from), 0);
  const weightOf = (cell: Cell): number => {
    const ofTime = (cell.to - cell.from) / ms;
    return metres > 0 ? (ofTime + (2 * cell.metres) / metres) / 3 : ofTime;
  };
  const slots: Slot[] = [];
  let used = 0;
  let from = cells[0]?.from ?? 0;
  let before: Cell | undefined;
  /** Slots closed so far. */
  let closed = 0;
  const close = (to: number): void => {
    if (to > from) slots.push({ from, to });
    from = to;
  };
  for (const cell of cells) {
    // No slot spans time without readings.
    if (before && cell.from > before.to) {
      close(before.to);
      from = cell.from;
    }
    const weight = weightOf(cell);
    // 1e-9: the sum of many parts is not exactly 1.
    const until = Math.floor((used + weight) * count + 1e-9);
    for (let n = closed + 1; n <= until; n++) {
      const share = weight > 0 ? Math.min(1, Math.max(0, (n / count - used) / weight)) : 1;
      close(Math.min(cell.to, Math.round(cell.from + share * (cell.to - cell.from))));
    }
    closed = Math.max(closed, until);
    used += weight;
    before = cell;
  }
  if (before) close(before.to);
  return slots;
}
