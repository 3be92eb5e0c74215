import { expect, test } from 'vitest';
import { MAX_MANUAL_BYTES } from '#shared/contract/machine-files.ts';
import { checkManual } from './manual.ts';
import { pdf, testPicture } from './test/images.ts';

const NO_PDF = 'Dit bestand is geen PDF.';

test.each([
  ['a PDF', pdf()],
  ['one with rubbish before its header', Buffer.concat([Buffer.from('\r\n\x01rommel\n'), pdf()])],
  ['one with a blank line after its end', Buffer.concat([pdf(), Buffer.from('\r\n\r\n')])],
  ['one of exactly 25 MB', pdf('Groot', MAX_MANUAL_BYTES)],
])('%s is accepted as a manual (MEDIT-09)', async (_, bytes) => {
  expect(bytes.length).toBeLessThanOrEqual(MAX_MANUAL_BYTES);
  await expect(checkManual(bytes)).resolves.toBeUndefined();
});

test.each([
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>%%EOF'), NO_PDF],
  ['a text', Buffer.from('Handleiding'), NO_PDF],
  ['a header further than 1 KiB in', Buffer.concat([Buffer.alloc(1025, 32), pdf()]), NO_PDF],
  [
    'a PDF in a picture',
    async () => Buffer.concat([await testPicture(8, 8).gif().toBuffer(), pdf()]),
    NO_PDF,
  ],
  ['a PDF cut short', pdf('Lang', 20_000).subarray(0, 15_000), 'Deze PDF is niet volledig.'],
  ['the header alone', Buffer.from('%PDF-1.7\n'), 'Deze PDF is niet volledig.'],
])('%s is rejected as a manual (MEDIT-09, API-03)', async (_, bytes, message) => {
  await expect(checkManual(typeof bytes === 'function' ? await bytes() : bytes)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(message),
  });
});

test('a manual one byte over 25 MB is too large (MEDIT-09)', async () => {
  const bytes = pdf('Groot', MAX_MANUAL_BYTES + 1);
  expect(bytes.length).toBe(MAX_MANUAL_BYTES + 1);
  await expect(checkManual(bytes)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('25 MB'),
  });
});
