import { expect, test } from 'vitest';
import { errorReasonOf, rateLimitedWarnings } from './warn.ts';

test('a repeated warning is logged once per 10 s with the number of suppressed ones, and another warning at once', () => {
  const lines: unknown[] = [];
  let clock = 0;
  const warn = rateLimitedWarnings({ warn: (...line: unknown[]) => void lines.push(line) }, () => clock);
  warn('Database gone', 'a');
  clock = 9_999;
  warn('Database gone', 'b');
  warn('Mail gone', 'c');
  clock = 10_000;
  warn('Database gone', 'd');
  clock = 30_000;
  warn('Database gone', 'e');
  expect(lines).toEqual([
    [{ reason: 'a' }, 'Database gone'],
    [{ reason: 'c' }, 'Mail gone'],
    [{ reason: 'd', unsaid: 1 }, 'Database gone'],
    [{ reason: 'e' }, 'Database gone'],
  ]);
});

test.each<[unknown, string | undefined]>([
  [new Error('Out of reach.'), 'Out of reach'],
  [new Error('Out of reach.', { cause: new Error('disk full') }), 'Out of reach: disk full'],
  [new Error('Gone.', { cause: new Error('Gone.', { cause: new Error('disk full') }) }), 'Gone: disk full'],
  [new Error('Gone', { cause: 'why' }), 'Gone'],
  ['no error', undefined],
  [undefined, undefined],
])('the reason of an error includes its causes, each once: %s', (error, reason) => {
  expect(errorReasonOf(error)).toBe(reason);
});
