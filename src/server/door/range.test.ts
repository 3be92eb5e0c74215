import { describe, expect, test } from 'vitest';
import { readRange } from './range.ts';

describe('readRange of 10 bytes', () => {
  test.each([
    ['bytes=0-4', { first: 0, last: 4 }],
    ['bytes=9-9', { first: 9, last: 9 }],
    ['bytes=5-', { first: 5, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    [undefined, undefined],
    ['', undefined],
    ['bytes=-', undefined],
    ['bytes=5-4', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
  ])('INGEST-01 %s', (header, expected) => {
    expect(readRange(header, 10)).toEqual(expected);
  });

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('INGEST-03 %s is outside', (header) => {
    expect(() => readRange(header, 10)).toThrow(expect.objectContaining({ code: 'InvalidRange' }));
  });
});
