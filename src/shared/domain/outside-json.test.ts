import { expect, test } from 'vitest';
import { CostlyJsonError, parseJson } from './outside-json.ts';

const nested = (levels: number, [open, close]: readonly [string, string] = ['[', ']']): string =>
  open.repeat(levels) + close.repeat(levels);

test.each([
  ['32 arrays', nested(32)],
  ['many beside each other', `[${Array(1000).fill('{"a":[]}').join()}]`],
  ['brackets in a text', JSON.stringify({ a: '['.repeat(100) })],
  ['a quote and a backslash in a text', JSON.stringify({ a: `"${'{'.repeat(50)}\\` })],
])('JSON of usual depth is parsed: %s (41.1)', (_what, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ['33 arrays', nested(33)],
  ['objects', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  ['after a text with an escaped quote', `["\\"",${nested(40)}]`],
])('JSON nested deeper than 32 levels is refused: %s (41.1)', (_what, text) => {
  expect(() => parseJson(text)).toThrow(CostlyJsonError);
});

test('JSON of more than 50,000 values is refused; commas inside a text do not count (41.1)', () => {
  expect(parseJson(`[${Array(50_000).fill('{}').join()}]`)).toHaveLength(50_000);
  expect(parseJson(JSON.stringify(','.repeat(60_000)))).toHaveLength(60_000);
  expect(() => parseJson(`[${Array(60_000).fill('{}').join()}]`)).toThrow(CostlyJsonError);
});
