import { expect, test } from 'vitest';
import { textCell } from './csv.ts';

const SIGNS = ['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠'];

test.each([...SIGNS, '\t', '\r', '\n'])('14.4a a text that begins with %j gets an apostrophe', (sign) => {
  expect(textCell(`${sign}1+1`)).toBe(`"'${sign}1+1"`);
  expect(textCell(`  ${sign}1+1`)).toBe(`"'  ${sign}1+1"`);
});

test.each(SIGNS)('14.4a %j gets an apostrophe where another separator begins a cell in a text', (sign) => {
  for (const separator of [',', ';', '\t', '\r', '\n', ', ', `," `, `;'"`])
    expect(textCell(`a${separator}${sign}1+1`)).toBe(
      `"a${separator}'${sign}1+1"`.replaceAll('"', '""').slice(1, -1),
    );
});

test.each(['EX-1', 'a=b', 'jan@klant', '50%', 'Graaf & Zn., Utrecht', 'van 1 - 2; tot 3', ''])(
  '14.4a %j stays as it is',
  (text) => {
    expect(textCell(text)).toBe(`"${text}"`);
  },
);

test('14.4a a long text of blanks and signs is written in linear time', () => {
  const began = performance.now();
  for (const letter of [' ', '\t', ',', '"', '=', ' =', ',='])
    expect(textCell(letter.repeat(200_000)).length).toBeGreaterThan(200_000);
  expect(performance.now() - began).toBeLessThan(2_000);
});
