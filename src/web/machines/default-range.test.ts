import { expect, test } from 'vitest';
import { DEFAULT_RANGE } from './default-range.ts';

test('the default range is 12 April 2025 from 08:00 to 20:00 in Amsterdam (LOG-04, TEST-01)', () => {
  expect(DEFAULT_RANGE).toEqual({
    from: Date.parse('2025-04-12T06:00:00Z'),
    to: Date.parse('2025-04-12T18:00:00Z'),
  });
});
