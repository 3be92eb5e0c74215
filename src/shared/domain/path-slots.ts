/**
 * Chooses the slots of time in which to read the points of a path that has too many readings to read them all (MDET-12). A third of the
 * slots is spread over the time with readings, two thirds over the distance, so that driving gets most slots and standing still enough.
 */

/** Half-open, ms. */
type Slot = { readonly from: number; readonly to: number };

/** The distance in an interval of the roll-up. */
export type PathInterval = Slot & { readonly metres: number };

/**
 * Returns slots, in order and not overlapping, that together cover the cells: at most `count`, plus one per gap that splits a slot.
 * @param cells intervals of the roll-up that have readings, in order of time
 */
export function choosePathTimeSlots(cells: readonly PathInterval[], count: number): Slot[] {
  const metres = cells.reduce((sum, cell) => sum + cell.metres, 0);
  const ms = cells.reduce((sum, cell) => sum + (cell.to - cell.from), 0);
  const weightOf = (cell: PathInterval): number => {
    const ofTime = (cell.to - cell.from) / ms;
    return metres > 0 ? (ofTime + (2 * cell.metres) / metres) / 3 : ofTime;
  };
  const slots: Slot[] = [];
  let used = 0;
  let from = cells[0]?.from ?? 0;
  let before: PathInterval | undefined;
  /** Number of the `count` equal shares of the total weight that are used up so far. */
  let closed = 0;
  const close = (to: number): void => {
    if (to > from) slots.push({ from, to });
    from = to;
  };
  for (const cell of cells) {
    // A slot must not span time without readings.
    if (before && cell.from > before.to) {
      close(before.to);
      from = cell.from;
    }
    const weight = weightOf(cell);
    // 1e-9 compensates rounding: the sum of the weights is not exactly 1.
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
