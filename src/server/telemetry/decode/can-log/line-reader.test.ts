import { expect, test } from 'vitest';
import { MAX_LOG_LINE_BYTES, TextLines } from './line-reader.ts';

function cut(text: Uint8Array, pieceBytes: number): { lines: [string, number][]; completeTo: number } {
  const lines: [string, number][] = [];
  const reader = new TextLines((bytes, start, end, offset) => {
    lines.push([Buffer.from(bytes.subarray(start, end)).toString(), offset]);
  }, 0);
  for (let at = 0; at < text.length; at += pieceBytes) reader.push(text.subarray(at, at + pieceBytes));
  const { completeTo } = reader;
  reader.end();
  return { lines, completeTo };
}

test.each([1, 2, 3, 5, 100])(
  'the lines of a text and their offsets are the same in chunks of %i bytes (INGEST-05)',
  (pieceBytes) => {
    const text = Buffer.from('one\n\ntwo\r\nthree');
    expect(cut(text, pieceBytes)).toEqual({
      lines: [
        ['one', 0],
        ['', 4],
        ['two\r', 5],
        ['three', 10],
      ],
      completeTo: 10,
    });
  },
);

test.each([7, 4096])(
  'a line without an end is truncated to its first bytes, in chunks of %i (INGEST-03)',
  (pieceBytes) => {
    const text = Buffer.from(`${'x'.repeat(100_000)}\nnext\n`);
    const { lines } = cut(text, pieceBytes);
    expect(lines).toHaveLength(2);
    expect(lines[0]?.[0].length).toBeGreaterThan(MAX_LOG_LINE_BYTES);
    expect(lines[0]?.[0].length).toBeLessThanOrEqual(Math.max(MAX_LOG_LINE_BYTES + 1, pieceBytes));
    expect(lines[1]).toEqual(['next', 100_001]);
  },
);
