import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Checks by the imports that each file is in the right folder. */

const sources = ['src', 'scripts', 'bench', 'e2e'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => /\.(?:tsx?|css)$/.test(file)),
);
const textOf = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const isTest = (file: string): boolean =>
  /\.(?:test|spec|stories)\.tsx?$|(?:^|\/)test\/|^(?:e2e|bench|src\/web\/gallery)\//.test(file);
/** Text of the files that name the entry points of `node` and of the page. */
const starts = ['werkstroom.js', 'index.html', 'scripts/demo-seed.ts', 'scripts/build-web.ts']
  .map((file) => readFileSync(file, 'utf8'))
  .join();

type Import = { readonly from: string; readonly to: string; readonly isLazy: boolean };
const imports: Import[] = [...textOf].flatMap(([from, text]) =>
  [...text.matchAll(/(?:\bfrom|\bimport|\bimport(\()|\bnew URL(\())\s*['"]([.#][^'"?]+)['"]/g)].map(
    ([, lazy, url, path = '']) => ({
      from,
      to: path.startsWith('#')
        ? path.replace(/^#(?!scripts)/, 'src/').replace(/^#/, '')
        : join(dirname(from), path),
      isLazy: Boolean(lazy ?? url),
    }),
  ),
);
const usersOf = Map.groupBy(imports, ({ to }) => to);

test('every file of src/web/ui and src/web/lib has more than one user (11.6)', () => {
  const shared = sources.filter((file) => /^src\/web\/(?:ui|lib)\/.*\.tsx?$/.test(file) && !isTest(file));
  const usedOnce = shared.filter((file) => {
    const users = (usersOf.get(file) ?? []).filter(({ from }) => from !== file.replace(/\.ts/, '.test.ts'));
    return users.length < 2 && !users.some(({ isLazy }) => isLazy);
  });
  expect(shared.length).toBeGreaterThan(30);
  expect(usedOnce).toEqual([]);
});

test('only nl.ts formats numbers and dates, and only theme.css defines the colours of statuses and batteries (11.5, 15.8h)', () => {
  const web = [...textOf].filter(([file]) => /^src\/(?:web|shared)\//.test(file) && !isTest(file));
  const formats =
    /\bIntl\.(?:Number|DateTime)Format\(|\.toLocale(?:Date|Time)?String\(|\.replace\('\.', ','\)/;
  expect(web.filter(([, text]) => formats.test(text)).map(([file]) => file)).toEqual([
    'src/shared/domain/amsterdam-time.ts', // computes the time, and does not format it
    'src/shared/domain/nl.ts',
  ]);
  const theme = textOf.get('src/web/theme.css') ?? '';
  const meanings = [...theme.matchAll(/--(?:status|battery|switch|success)[\w-]*: (#\w{6});/g)].map(
    ([, colour = '']) => colour,
  );
  expect(meanings.length).toBeGreaterThan(8);
  const elsewhere = web.filter(
    ([file, text]) => !/theme\./.test(file) && meanings.some((colour) => text.includes(colour)),
  );
  expect(elsewhere.map(([file]) => file)).toEqual([]);
});

test('production code imports nothing from a test/ folder, and files that only tests use are in one (11.11)', () => {
  const production = sources.filter((file) => /^src\/.*\.tsx?$/.test(file) && !isTest(file));
  const borrowed = imports.filter(({ from, to }) => !isTest(from) && from.startsWith('src/') && isTest(to));
  expect(borrowed).toEqual([]);
  const unused = production.filter(
    (file) => !starts.includes(file) && !(usersOf.get(file) ?? []).some(({ from }) => !isTest(from)),
  );
  expect(unused).toEqual([]);
});

test('every component of src/web/ui, map and chart has stories in the gallery', () => {
  const components = sources.filter(
    (file) => /^src\/web\/(?:ui|map|chart)\/[\w-]+\.tsx$/.test(file) && !isTest(file),
  );
  const without = components.filter((file) => !textOf.has(file.replace(/\.tsx$/, '.stories.tsx')));
  expect(components.length).toBeGreaterThan(40);
  expect(without).toEqual([]);
});
