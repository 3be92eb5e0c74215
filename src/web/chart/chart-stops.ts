/** Calculates where the cursor of a chart moves by a key. A stop is a time at which the cursor can halt. */
import type { TimeChartData } from './chart-options.ts';

/** PageUp and PageDown move the cursor by this many stops. */
const PAGE = 10;

/** Returns the stops of the cursor in ascending order: the times at which at least one line has a value. */
export const timesWithValues = ({
  times,
  lines,
}: Pick<TimeChartData, 'times' | 'lines'>): readonly number[] =>
  times.filter((_, n) => lines.some(({ values }) => values[n] != null));

/** Returns the number of stops before a time; `withItself` also counts a stop at that time. */
function countUntil(stops: readonly number[], time: number, withItself: boolean): number {
  let low = 0;
  let high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const stop = stops[middle] as number;
    if (stop < time || (withItself && stop === time)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the last stop at or before the cursor; 0 if the cursor is before the first stop. */
export const cursorStopIndex = (stops: readonly number[], cursor: number): number =>
  Math.max(0, countUntil(stops, cursor, true) - 1);

/**
 * Returns the time to which a key moves the cursor, as on any slider; undefined for other keys.
 * @param cursor undefined if the chart has no cursor yet
 */
export function timeAfterKey(
  stops: readonly number[],
  cursor: number | undefined,
  key: string,
): number | undefined {
  const last = stops.length - 1;
  const [next, previous] =
    cursor === undefined
      ? [0, last]
      : [countUntil(stops, cursor, true), countUntil(stops, cursor, false) - 1];
  const places: Readonly<Record<string, number>> = {
    ArrowRight: next,
    ArrowUp: next,
    ArrowLeft: previous,
    ArrowDown: previous,
    PageUp: next + PAGE - 1,
    PageDown: previous - PAGE + 1,
    Home: 0,
    End: last,
  };
  const place = places[key];
  return place === undefined ? undefined : stops[Math.min(last, Math.max(0, place))];
}
