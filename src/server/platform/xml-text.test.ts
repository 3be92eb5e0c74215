import { expect, test } from 'vitest';
import { escapeXmlText } from './xml-text.ts';

test.each([
  ['plain', 'plain'],
  ['<a href="x">&\'', '&lt;a href=&quot;x&quot;&gt;&amp;&apos;'],
  ['a\tb\nc\rd', 'a&#9;b&#10;c&#13;d'],
  ['a\u0000b\u001fc\ufffe', 'a\ufffdb\ufffdc\ufffd'],
  ['lone \ud800 half', 'lone \ufffd half'],
  ['ünï 😀', 'ünï 😀'],
])('the text %j is written in XML as %j (INGEST-03)', (text, expected) => {
  expect(escapeXmlText(text, '\ufffd')).toBe(expected);
});
