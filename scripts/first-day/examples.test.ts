import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applyInsertions } from './apply-example.ts';
import { CHANGE_EXAMPLES } from './examples.ts';
import { EXAMPLE_FOLDERS, GENERATED_FILES, noun } from './noun.ts';

/** Returns the files that CONTRIBUTING.md lists under a heading: each bullet begins with a file. */
function listedUnder(heading: string): string[] {
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, section = ''] = guide.split(`\n### ${heading}\n`);
  const [text = ''] = section.split('\n#', 1);
  return [...text.matchAll(/^- `([^`]+)`/gm)].map(([, file = '']) => file);
}

/**
 * Returns the name under which CONTRIBUTING.md lists a file of an example: a new file by its folder, because its name differs each
 * time.
 */
const listedAs = ([file, change]: readonly [string, unknown]): string =>
  typeof change !== 'string'
    ? file
    : `${/^migrations|^src\/(web\/features|shared\/contract|server)|^.*\/alerts\/kinds/.exec(file)?.[0]}/`;

test.each(Object.entries(CHANGE_EXAMPLES))(
  '%s: CONTRIBUTING.md lists the files that the example changes',
  (heading, example) => {
    expect(listedUnder(heading)).toEqual([...new Set(Object.entries(example).map(listedAs))]);
  },
);

test.each(Object.entries(CHANGE_EXAMPLES))(
  '%s: the repository has every passage of text that the example replaces',
  (_, example) => {
    for (const [file, change] of Object.entries(example))
      if (typeof change !== 'string')
        expect(applyInsertions(readFileSync(file, 'utf8'), change, file)).not.toBe(
          readFileSync(file, 'utf8'),
        );
  },
);

test('a new resource with a table, four calls, a page and rows in the log changes at most 8 files outside its own folders (46.1)', () => {
  const touched = [...Object.keys(noun), ...GENERATED_FILES];
  const outside = touched.filter((file) => !EXAMPLE_FOLDERS.some((folder) => file.startsWith(folder)));
  expect(outside.length, outside.join('\n')).toBeLessThanOrEqual(8);
});
