import { expect, test } from 'vitest';
import { leaf, list, readXml, writeXml, XmlError } from './xml.ts';

test.each([
  'plain',
  '<a> & "b" \'c\'',
  ']]>',
  '&lt;',
  ' spaces around ',
  'tab\tand\r\nline ends',
  'emoji 🔋 and é',
])('MEDIT-11 text goes through XML unchanged: %j', (text) => {
  const root = list('A', [leaf('B', text), leaf('C', '')]);
  expect(readXml(writeXml(root))).toEqual(root);
});

test.each(['\u0000', 'a\u001f', '\ufffe', '\ud800', '\udc00x'])('MEDIT-11 XML cannot say %j', (text) => {
  expect(() => writeXml(leaf('A', text))).toThrow(RangeError);
});

test.each([
  '',
  '<A>',
  '<A></B>',
  '<A/><B/>',
  'text',
  '<A>text<B/></A>',
  '<!DOCTYPE A><A/>',
  '<A b="1" b="2"/>',
])('MEDIT-11 no good XML: %j', (xml) => {
  expect(() => readXml(xml)).toThrow(XmlError);
});

test('MEDIT-11 a value of the document is not a property of everything', () => {
  expect(readXml('<A __proto__="x"><B/></A>').children).toHaveLength(1);
});
