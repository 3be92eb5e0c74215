import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import { inputErrorsOf, inputErrorsText } from './input-errors.ts';

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

test('a form shows the errors of the server at their inputs, and errors without an input beside the button (API-03, 12.C7)', () => {
  const errors = inputErrorsOf(refusal, { brand: 'machine_Merk', hulpstukken: undefined });
  expect(errors).toEqual([
    { name: 'machine_Merk', word: 'Merk', message: 'Merk ontbreekt.' },
    { name: undefined, word: 'Hulpstukken', message: 'Hulpstukken: dit is geen lijst.' },
    { name: 'weg', word: 'weg', message: 'weg is weg.' },
  ]);
  expect(inputErrorsText(errors!)).toBe('Kijk nog even naar: Merk, weg. Hulpstukken: dit is geen lijst.');
  expect(inputErrorsText([])).toBeUndefined();
  expect(inputErrorsOf(new ApiError(409, { code: 'conflict', message: 'Nee.' }, true))).toBeUndefined();
});
