import { expect, test } from 'vitest';
import { findingsToJson } from './stored-findings.ts';

test('findingsToJson cuts a nested text from a file to 300 characters and replaces unprintable characters (46.4)', () => {
  const text = `a\u0000b${'x'.repeat(10_000)}`;
  const [finding] = JSON.parse(
    findingsToJson([{ kind: 'bad-lines', count: 1, first: { line: 1, text, expected: 'candump' } }]),
  );
  expect(finding.first.text).toBe(`a\uFFFDb${'x'.repeat(297)}`);
});
