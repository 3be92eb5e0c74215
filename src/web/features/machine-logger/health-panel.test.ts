import { expect, test } from 'vitest';
import { counterLines } from './health-panel.tsx';

test('counters above 0 are shown in Dutch and in a fixed order, an unknown counter by its name (MEDIT-15)', () => {
  expect(counterLines({ somethingNew: 2, refused: 1, readings: 12_345, uploads: 3, merged: 0 })).toEqual([
    ['Ontvangen bestanden', '3'],
    ['Opgeslagen metingen', '12.345'],
    ['Geweigerde bestanden', '1'],
    ['somethingNew', '2'],
  ]);
  expect(counterLines({})).toEqual([]);
});
