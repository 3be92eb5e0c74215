import { expect, test } from 'vitest';
import { leafElement, listElement, readXml, writeXml, XmlError } from './xml.ts';

test.each([
  'plain',
  '<a> & "b" \'c\'',
  ']]>',
  '&lt;',
  ' spaces around ',
  'tab\tand\r\nline ends',
  'emoji 🔋 and é',
])('text passes through XML unchanged: %j (MEDIT-11)', (text) => {
  const root = listElement('A', [leafElement('B', text), leafElement('C', '')]);
  expect(readXml(writeXml(root))).toEqual(root);
});

test.each(['\u0000', 'a\u001f', '\ufffe', '\ud800', '\udc00x'])(
  'XML cannot contain %j (MEDIT-11)',
  (text) => {
    expect(() => writeXml(leafElement('A', text))).toThrow(RangeError);
  },
);

test.each([
  '',
  '<A>',
  '<A></B>',
  '<A/><B/>',
  'text',
  '<A>text<B/></A>',
  '<!DOCTYPE A><A/>',
  '<A b="1" b="2"/>',
])('%j is rejected as XML (MEDIT-11)', (xml) => {
  expect(() => readXml(xml)).toThrow(XmlError);
});

test('an XML document cannot set a property of Object.prototype (MEDIT-11)', () => {
  expect(readXml('<A __proto__="x"><B/></A>').children).toHaveLength(1);
});
