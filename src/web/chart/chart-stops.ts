/** Where the cursor of a chart stops when it is moved by keyboard. */
import type { TimeChartData } from './chart-options.ts';

/** How many stops a page is. */
const PAGE = 10;

/** The times at which a line has a value, in order. */
export const stopsOf = ({ times, lines }: Pick<TimeChartData, 'times' | 'lines'>): readonly number[] =>
  times.filter((_, n) => lines.some(({ values }) => values[n] != null));

/** How many of the stops lie before a time, and not later than it. */
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

/** Index of the stop that a cursor stands at or has passed last; 0 before the first. */
export const stopIndex = (stops: readonly number[], cursor: number): number =>
  Math.max(0, countUntil(stops, cursor, true) - 1);

/**
 * Where a key leads, as on any slider; undefined: it is none of its keys.
 * @param cursor undefined: it stands nowhere yet
 */
export function stopAfterKey(
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
