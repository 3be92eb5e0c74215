import { expect, test } from 'vitest';
import { SecondReadingBuilder } from './second-readings.ts';

test('within a second the value with the highest time counts, not the last one in the file (INGEST-05, 12.A13)', () => {
  const readings = new SecondReadingBuilder(['Soc1', 'Speed']);
  for (const [ms, slot, value] of [
    [900, 0, 51],
    [100, 0, 50],
    [100, 1, 3],
    [100, 1, 4],
    [1_200, 0, 127.5],
  ] as const) {
    readings.at(ms, 0, 0);
    expect(readings.set(slot, value)).toBe(value !== 127.5);
  }
  readings.finish();
  expect(readings.take()).toEqual([{ time: 0, signals: { Soc1: 51, Speed: 4 } }]);
});
