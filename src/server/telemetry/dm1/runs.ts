/** A set of times as runs: from0, to0, from1, to1, … (ms); both ends are included, and runs are sorted and not adjacent. */
export type TimeIntervalBounds = readonly number[];

/** Returns the union. Adjacent runs are joined. */
export function uniteTimeIntervals(one: TimeIntervalBounds, other: TimeIntervalBounds): number[] {
  const pairs = [...iterateTimeIntervals(one), ...iterateTimeIntervals(other)].sort((a, b) => a[0] - b[0]);
  const runs: number[] = [];
  for (const [from, to] of pairs) {
    const last = runs.length - 1;
    if (last > 0 && from <= (runs[last] as number) + 1) runs[last] = Math.max(runs[last] as number, to);
    else runs.push(from, to);
  }
  return runs;
}

/** Returns the part of `one` that is not in `other`. */
export function subtractTimeIntervals(one: TimeIntervalBounds, other: TimeIntervalBounds): number[] {
  const left: number[] = [];
  const gone = [...iterateTimeIntervals(other)];
  let first = 0;
  for (const [from, to] of iterateTimeIntervals(one)) {
    let begin = from;
    while (first < gone.length && (gone[first]?.[1] as number) < from) first += 1;
    for (let n = first; n < gone.length && begin <= to; n += 1) {
      const [goneFrom, goneTo] = gone[n] as Pair;
      if (goneFrom > to) break;
      if (goneFrom > begin) left.push(begin, goneFrom - 1);
      begin = Math.max(begin, goneTo + 1);
    }
    if (begin <= to) left.push(begin, to);
  }
  return left;
}

type Pair = readonly [from: number, to: number];

export function* iterateTimeIntervals(runs: TimeIntervalBounds): Generator<Pair> {
  for (let n = 0; n < runs.length; n += 2) yield [runs[n] as number, runs[n + 1] as number];
}
