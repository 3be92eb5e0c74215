import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXAMPLES } from './examples.ts';
import { changed } from './plant.ts';

/** Files that CONTRIBUTING.md lists under a heading: each bullet begins with one. */
function listedUnder(heading: string): string[] {
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, section = ''] = guide.split(`\n### ${heading}\n`);
  const [text = ''] = section.split('\n#', 1);
  return [...text.matchAll(/^- `([^`]+)`/gm)].map(([, file = '']) => file);
}

/** A new file is listed by its folder, since its name differs each time. */
const listedAs = (file: string): string =>
  existsSync(file) ? file : `${/^migrations|^src\/web\/features|^.*\/alerts\/kinds/.exec(file)?.[0]}/`;

test.each(Object.entries(EXAMPLES))(
  '%s: CONTRIBUTING.md lists the files that the example changes',
  (heading, example) => {
    expect(listedUnder(heading)).toEqual(Object.keys(example).map(listedAs));
  },
);

test.each(Object.entries(EXAMPLES))('%s: the places that the example changes are there', (_, example) => {
  for (const [file, change] of Object.entries(example))
    if (typeof change !== 'string')
      expect(changed(readFileSync(file, 'utf8'), change, file)).not.toBe(readFileSync(file, 'utf8'));
});
