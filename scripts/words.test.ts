import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Returns the names of the classes in a style sheet. */
const classesIn = (file: string): string[] => [
  ...new Set([...readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)),
];

/** Returns the class names that TSX gives as text: className="row gap-2", `${styles.x} row`, or 'row' in an expression. */
function wordsOf(tsx: string): string[] {
  const texts = [...tsx.matchAll(/\bclassName=(?:"([^"]*)"|\{((?:[^{}]|\$\{[^}]*\})*)\})/g)].flatMap(
    ([, text, expression = '']) =>
      text ??
      [...expression.replace(/=== '[^']*'/g, '').matchAll(/'([^']*)'|`([^`]*)`/g)].map(
        ([, a, b]) => a ?? b ?? '',
      ),
  );
  return texts.flatMap((text) => text.replace(/\$\{[^}]*\}/g, ' ').split(/\s+/)).filter(Boolean);
}

const used = new Set(globSync('src/web/**/*.tsx').flatMap((file) => wordsOf(readFileSync(file, 'utf8'))));
const words = classesIn('src/web/words.css');

test('every utility class of words.css is used, and every class name in TSX is one of these classes (decision 88)', () => {
  expect(used.size).toBeGreaterThan(100);
  expect(words.filter((word) => !used.has(word))).toEqual([]);
  expect([...used].filter((word) => !words.includes(word))).toEqual([]);
});
