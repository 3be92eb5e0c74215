import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import { faultsIn, faultsInWords } from './field-faults.ts';

const refusal = new ApiError(
  400,
  {
    code: 'invalid',
    message: 'Merk ontbreekt. Hulpstukken: dit is geen lijst. weg is weg.',
    faults: [
      { field: 'brand', message: 'Merk ontbreekt.' },
      { field: 'hulpstukken', message: 'Hulpstukken: dit is geen lijst.' },
      { field: 'weg', message: 'weg is weg.' },
    ],
  },
  true,
);

test('API-03 12.C7 what the server found wrong goes to the inputs, and what has none is said beside the button', () => {
  const faults = faultsIn(refusal, { brand: 'machine_Merk', hulpstukken: undefined });
  expect(faults).toEqual([
    { name: 'machine_Merk', word: 'Merk', message: 'Merk ontbreekt.' },
    { name: undefined, word: 'Hulpstukken', message: 'Hulpstukken: dit is geen lijst.' },
    { name: 'weg', word: 'weg', message: 'weg is weg.' },
  ]);
  expect(faultsInWords(faults!)).toBe('Kijk nog even naar: Merk, weg. Hulpstukken: dit is geen lijst.');
  expect(faultsInWords([])).toBeUndefined();
  expect(faultsIn(new ApiError(409, { code: 'conflict', message: 'Nee.' }, true))).toBeUndefined();
});
