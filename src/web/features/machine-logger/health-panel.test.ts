import { expect, test } from 'vitest';
import { counterLines } from './health-panel.tsx';

test('MEDIT-15 counters are told in Dutch, in a fixed order, without zeros; a new one under its own name', () => {
  expect(counterLines({ somethingNew: 2, refused: 1, readings: 12_345, uploads: 3, merged: 0 })).toEqual([
    ['Ontvangen bestanden', '3'],
    ['Opgeslagen metingen', '12.345'],
    ['Geweigerde bestanden', '1'],
    ['somethingNew', '2'],
  ]);
  expect(counterLines({})).toEqual([]);
});
