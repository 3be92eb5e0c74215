import { expect, test } from 'vitest';
import { storedFindings } from './stored-findings.ts';

test('storedFindings cuts a nested text from a file to 300 characters and replaces unprintable characters (46.4)', () => {
  const text = `a\u0000b${'x'.repeat(10_000)}`;
  const [finding] = JSON.parse(
    storedFindings([{ kind: 'bad-lines', count: 1, first: { line: 1, text, expected: 'candump' } }]),
  );
  expect(finding.first.text).toBe(`a\uFFFDb${'x'.repeat(297)}`);
});
