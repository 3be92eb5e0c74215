import { expect, test } from 'vitest';
import { storedFindings } from './stored-findings.ts';

test('a text of a file in a finding is stored short and printable, wherever it is nested (46.4)', () => {
  const text = `a\u0000b${'x'.repeat(10_000)}`;
  const [finding] = JSON.parse(
    storedFindings([{ kind: 'bad-lines', count: 1, first: { line: 1, text, expected: 'candump' } }]),
  );
  expect(finding.first.text).toBe(`a\uFFFDb${'x'.repeat(297)}`);
});
