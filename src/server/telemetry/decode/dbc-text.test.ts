import { expect, test } from 'vitest';
import { decodeText } from './dbc-text.ts';

test.each([
  ['plain', [0x41, 0x42], 'AB'],
  ['UTF-8', [0xc2, 0xb0, 0x43], '°C'],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x41], 'A'],
  ['cp1252: a degree sign of one byte', [0xb0, 0x43], '°C'],
  ['cp1252: a euro sign, which latin-1 does not have', [0x80], '€'],
  ['nothing', [], ''],
])('INGEST-04 the text of a DBC: %s', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
});
