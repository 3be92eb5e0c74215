import { expect, test } from 'vitest';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import { type ValuesOfReading, valueRowsOf } from './stored-values.ts';
import { createReadingThinner } from './thinning.ts';

const columnsOf = (rows: readonly ValuesOfReading[]): ReadingColumns => ({
  times: Float64Array.from(rows, ([time]) => time),
  values: [1, 2].map((at) => Float64Array.from(rows, (row) => row[at] ?? Number.NaN)),
});

test('a row of the report Metingen has the last value of each signal in its step, however the readings are batched (14.3d)', () => {
  const rows: ValuesOfReading[] = [
    [0, 1, null],
    [59_999, null, 7],
    [60_000, 2, null],
    [61_000, 3, null],
    [200_000, null, 8],
  ];
  const thinned = (portions: readonly (readonly ValuesOfReading[])[], step: number) => {
    const thinning = createReadingThinner(step);
    return [...portions.map((portion) => thinning.add(columnsOf(portion))), thinning.end()].flatMap(
      valueRowsOf,
    );
  };
  const expected = [
    [0, 1, 7],
    [60_000, 3, null],
    [180_000, null, 8],
  ];
  expect(thinned([rows], 60)).toEqual(expected);
  expect(thinned([rows.slice(0, 1), rows.slice(1, 3), [], rows.slice(3)], 60)).toEqual(expected);
  expect(thinned([rows], 0)).toEqual(rows);
  expect(thinned([[]], 60)).toEqual([]);
});
