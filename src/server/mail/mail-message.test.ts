import { expect, test } from 'vitest';
import { isPlainAddress, requireSafeMail } from './mail-message.ts';

test.each<[string, string, boolean]>([
  ['an address', 'anna@klant.nl', true],
  ['a host without a dot', 'admin@localhost', true],
  ['a tag', 'anna+test@klant.nl', true],
  ['no @', 'anna', false],
  ['two', 'a@b.nl,c@d.nl', false],
  ['a second header', 'a@b.nl\r\nBcc: c@d.nl', false],
  ['a bare line feed', 'a@b.nl\nBcc: c@d.nl', false],
  ['a name', 'Anna <a@b.nl>', false],
  ['a group', 'a:b@c.nl;', false],
  ['a comment', 'a(x)@b.nl', false],
  ['a quote', '"a b"@c.nl', false],
  ['half a character', 'a\ud800@b.nl', false],
  ['NUL', 'a\0@b.nl', false],
  ['a line separator', 'a\u2028@b.nl', false],
  ['too long', `${'a'.repeat(250)}@b.nl`, false],
])('MAIL-02 one plain address: %s', (_, text, expected) => {
  expect(isPlainAddress(text)).toBe(expected);
});

test.each([
  ['line feed', 'Laden\nBcc: x@y.nl'],
  ['carriage return', 'Laden\rBcc: x@y.nl'],
  ['NUL', 'La\0den'],
  ['nothing', '  '],
])('MAIL-02 a subject is one line: %s', (_, subject) => {
  expect(() => requireSafeMail({ to: 'a@b.nl', subject, text: '', html: '' })).toThrow(/subject/);
});
