import { expect, test } from 'vitest';
import { isPermanent } from '#server/platform/job-failure.ts';
import { composeMail, isPlainAddress, requireSafeMail } from './mail-message.ts';

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
])('the recipient of a mail must be one plain address: %s (MAIL-02)', (_, text, expected) => {
  expect(isPlainAddress(text)).toBe(expected);
});

test.each([
  ['line feed', 'Laden\nBcc: x@y.nl'],
  ['carriage return', 'Laden\rBcc: x@y.nl'],
  ['NUL', 'La\0den'],
  ['nothing', '  '],
])('a subject that is not one line is refused: %s (MAIL-02)', (_, subject) => {
  expect(() => requireSafeMail({ to: 'a@b.nl', subject, text: '', html: '' })).toThrow(/subject/);
});

test('an invalid mail is a permanent failure (12.C9)', () => {
  const message = { subject: 'Laden', text: '', html: '' };
  let thrown: unknown;
  try {
    requireSafeMail({ ...message, to: 'anna' });
  } catch (error) {
    thrown = error;
  }
  expect(isPermanent(thrown)).toBe(true);
});

const mail = composeMail({
  to: 'anna@klant.nl',
  subject: 'Kraan <1> laadt',
  paragraphs: ['Eén & <script>alert(1)</script>', 'Tweede'],
  code: 'ABCD-EFGH',
  link: { label: 'Naar "de" machine', url: 'https://portaal.nl/machine/a?x=1&y="2"' },
});

test('the plain text of a mail contains every paragraph, the code and the link (MAIL-02)', () => {
  expect(mail.text).toBe(
    'Eén & <script>alert(1)</script>\n\nTweede\n\nABCD-EFGH\n\nNaar "de" machine: https://portaal.nl/machine/a?x=1&y="2"\n\nWerkstroom\n',
  );
});

test('the HTML of a mail is marked as Dutch and contains the subject, paragraphs, code and link, escaped (MAIL-02)', () => {
  expect(mail.html).toContain('<html lang="nl">');
  expect(mail.html).toContain('<title>Kraan &lt;1&gt; laadt</title>');
  expect(mail.html).toContain('<p>Eén &amp; &lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>Tweede</p>');
  expect(mail.html).toContain('>ABCD-EFGH</p>');
  expect(mail.html).toContain(
    '<a href="https://portaal.nl/machine/a?x=1&amp;y=&quot;2&quot;">Naar &quot;de&quot; machine</a>',
  );
});
