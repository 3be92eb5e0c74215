import { expect, test } from 'vitest';
import { neighbours } from './neighbour.ts';
import { isFelt } from './neighbour-fault.ts';

test('12.B7 every line about neighbours has a noisy one', () => {
  const lines = neighbours.map(({ done }) => done.slice(0, 5));
  expect(lines).toEqual(['12.B1', '12.B2', '12.B3', '12.B4', '12.B5', '12.B6']);
});

test.each([
  ['none too long', [20, 299], [30, 999], 1, false],
  ['one page', [20, 300, 20], [30], 1, true],
  ['one upload', [20], [30, 1_000], 1, true],
  ['half as long, before the noise', [150], [30], 0.5, true],
  ['less than half', [149], [499], 0.5, false],
])('12.B7 a neighbour is felt by the longest wait: %s', (_waits, pages, uploads, share, felt) => {
  expect(isFelt({ pages, uploads }, share)).toBe(felt);
});
