import { expect, test } from 'vitest';
import { readBitrate } from './bitrate-field.tsx';

test.each<[string, number | undefined]>([
  ['250', 250_000],
  [' 33,3 ', 33_300],
  ['83.333', 83_333],
  ['250.000', 250_000],
  ['10', 10_000],
  ['1000', 1_000_000],
  ['9,999', undefined],
  ['1000,1', undefined],
  ['250000', undefined],
  ['-250', undefined],
  ['', undefined],
  ['snel', undefined],
])('the bit rate typed as %j in kbit/s is read as %s bit/s (MEDIT-12)', (text, bitrate) => {
  expect(readBitrate(text)).toBe(bitrate);
});
