import { expect, test } from 'vitest';
import { noisyNeighbourFaults } from './neighbour.ts';
import { isDisturbed } from './neighbour-fault.ts';

test('every requirement about customers that disturb each other has a fault-injection test with a noisy neighbour (12.B7)', () => {
  const ids = noisyNeighbourFaults.map(({ done }) => done.split(':')[0]);
  expect(ids).toEqual(['12.B1', '12.B2', '12.B3', '12.B4', '12.B5', '12.B6', '43.15']);
});

test.each([
  ['none too long', [20, 299], [30, 999], 1, false],
  ['one page', [20, 300, 20], [30], 1, true],
  ['one upload', [20], [30, 1_000], 1, true],
  ['half as long, before the noise', [150], [30], 0.5, true],
  ['less than half', [149], [499], 0.5, false],
])(
  'isDisturbed compares the longest wait of the quiet tenant with the allowed one: %s (12.B7)',
  (_waits, pages, uploads, share, felt) => {
    expect(isDisturbed({ pages, uploads }, share)).toBe(felt);
  },
);
