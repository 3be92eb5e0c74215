import { expect, test } from 'vitest';
import { textCell } from './csv.ts';

const SIGNS = ['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠'];

test.each([...SIGNS, '\t', '\r', '\n'])('textCell adds an apostrophe before a leading %j (14.4a)', (sign) => {
  expect(textCell(`${sign}1+1`)).toBe(`"'${sign}1+1"`);
  expect(textCell(`  ${sign}1+1`)).toBe(`"'  ${sign}1+1"`);
});

test.each(SIGNS)(
  'a text %j gets an apostrophe where a program with another separator would see the beginning of a cell (14.4a)',
  (sign) => {
    for (const separator of [',', ';', '\t', '\r', '\n', ', ', `," `, `;'"`])
      expect(textCell(`a${separator}${sign}1+1`)).toBe(
        `"a${separator}'${sign}1+1"`.replaceAll('"', '""').slice(1, -1),
      );
  },
);

test.each(['EX-1', 'a=b', 'jan@klant', '50%', 'Graaf & Zn., Utrecht', 'van 1 - 2; tot 3', ''])(
  'the text %j is exported unchanged (14.4a)',
  (text) => {
    expect(textCell(text)).toBe(`"${text}"`);
  },
);

test('writing a long text of blanks and formula characters takes time linear in its length (14.4a)', () => {
  const began = performance.now();
  for (const letter of [' ', '\t', ',', '"', '=', ' =', ',='])
    expect(textCell(letter.repeat(200_000)).length).toBeGreaterThan(200_000);
  expect(performance.now() - began).toBeLessThan(2_000);
});
