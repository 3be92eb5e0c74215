import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const page = await readFile('docs/security.md', 'utf8');
const filesIn = (text: string): string[] =>
  text.match(/(?<=`)(?:src|e2e|bench|scripts|docs)\/[\w./-]+(?=`)/g) ?? [];
const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts`'));

test('every file that docs/security.md names exists (API-02, API-03)', () => {
  const files = filesIn(page);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('every CVE in a row of the table in docs/security.md is in the title of a test in a file that the row names (API-02, API-03)', async () => {
  expect(rows.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const row of rows) {
    const texts = await Promise.all(filesIn(row).map((file) => readFile(file, 'utf8')));
    const titles = texts
      .flatMap((text) => text.match(/^\s*(?:test|test\.each\(.*\))\(\s*['`].*/gm) ?? [])
      .join('\n');
    for (const cve of row.match(/CVE-\d+-\d+/g) ?? []) {
      expect([cve, titles.includes(cve)]).toEqual([cve, true]);
      found.push(cve);
    }
  }
  expect(found.length).toBeGreaterThan(25);
});
