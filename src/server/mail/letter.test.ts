import { expect, test } from 'vitest';
import { writeLetter } from './letter.ts';

const letter = writeLetter({
  to: 'anna@klant.nl',
  subject: 'Kraan <1> laadt',
  paragraphs: ['Eén & <script>alert(1)</script>', 'Tweede'],
  code: 'ABCD-EFGH',
  link: { label: 'Naar "de" machine', url: 'https://portaal.nl/machine/a?x=1&y="2"' },
});

test('MAIL-02 the text says all, with the link', () => {
  expect(letter.text).toBe(
    'Eén & <script>alert(1)</script>\n\nTweede\n\nABCD-EFGH\n\nNaar "de" machine: https://portaal.nl/machine/a?x=1&y="2"\n\nWerkstroom\n',
  );
});

test('MAIL-02 the HTML is Dutch and says the same, as text', () => {
  expect(letter.html).toContain('<html lang="nl">');
  expect(letter.html).toContain('<title>Kraan &lt;1&gt; laadt</title>');
  expect(letter.html).toContain('<p>Eén &amp; &lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>Tweede</p>');
  expect(letter.html).toContain('>ABCD-EFGH</p>');
  expect(letter.html).toContain(
    '<a href="https://portaal.nl/machine/a?x=1&amp;y=&quot;2&quot;">Naar &quot;de&quot; machine</a>',
  );
});
