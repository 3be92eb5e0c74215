import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * The import table: the key is a folder of src/server, the value lists the other folders of src/server from which its files may import,
 * tests excepted. All files may import from their own folder, from shared/ and from packages. A folder that is not a key may import from
 * all of the server.
 */
const SERVER: Readonly<Record<string, string>> = {
  platform: '',
  'telemetry/readings': 'platform',
  streams: 'platform telemetry/readings',
  'telemetry/decode': '',
  'logger-config': 'telemetry/decode',
  s3: 'platform',
  mail: 'platform',
  auth: 'platform mail',
  push: 'platform auth',
  webhooks: 'platform auth organizations',
  'work-weeks': 'platform auth organizations',
  'charging-tariffs': 'platform auth organizations',
  'report-factors': 'platform auth organizations',
  // Data definitions and loggers do not import the features that use them.
  definitions: 'platform auth streams telemetry/decode logger-config',
  writers: 'platform auth streams telemetry/decode telemetry/readings definitions logger-config',
  // Machines and LMB loggers import neither each other nor the history.
  labels: 'platform auth organizations streams',
  machines: 'platform auth streams labels definitions writers',
  'lmb-loggers': 'platform auth streams definitions writers',
  'machine-files': 'platform auth streams definitions writers',
  // Readings do not import the features that show them.
  telemetry: 'platform streams definitions writers s3',
  redecoding: 'platform auth streams s3 telemetry',
  'log-files': 'platform auth mail streams s3 telemetry writers',
  'closed-weeks': 'platform auth streams telemetry reports',
  history: 'platform auth mail streams telemetry',
  live: 'platform auth mail streams telemetry',
  'fault-codes': 'platform auth streams telemetry history',
  maintenance: 'platform auth organizations streams labels',
  'charging-sessions': 'platform auth charging-tariffs streams telemetry history',
  'day-figures':
    'platform auth charging-tariffs organizations streams telemetry history charging-sessions work-weeks',
  projects: 'platform auth organizations streams telemetry day-figures',
  'fleet-figures':
    'platform auth organizations streams telemetry history charging-sessions day-figures projects fault-codes maintenance',
  reports:
    'platform auth charging-tariffs organizations streams telemetry history fault-codes day-figures report-factors version.ts',
  'report-mails': 'platform auth organizations mail streams history projects reports version.ts',
  compare: 'platform auth organizations streams telemetry history day-figures reports',
  'fleet-maintenance': 'platform auth organizations streams maintenance projects reports version.ts',
  // Alerts import what they evaluate and the ways in which people are notified.
  alerts:
    'platform auth organizations streams telemetry charging-sessions contacts fault-codes fleet-figures maintenance projects terreinen mail push webhooks work-weeks',
  subscriptions: 'platform auth mail streams alerts',
  leaving: 'platform auth streams s3 telemetry redecoding writers organizations',
};

const MAP_LIBRARY = /^(leaflet|@geoman-io|supercluster)(\/|$)/;
const CHART_LIBRARY = /^uplot(\/|$)/;
const isOf = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

/** Returns the imports of a source that the rules forbid. @param file path from the repository's root */
function forbiddenImports(file: string, source: string): string[] {
  const isTest = /\.test\.tsx?$|\/test\//.test(file);
  const statement = /^(?:(?:import|export)\b[^;']*\bfrom |import )'([^']+)'|\bimport\('([^']+)'\)/gm;
  const imported = [...source.matchAll(statement)].map(([, path, dynamic]) => path ?? (dynamic as string));
  return imported.filter((path) => {
    // The path of the imported file from the repository's root, or the name of the package.
    const target = path.startsWith('.') ? join(dirname(file), path) : path.replace(/^#/, 'src/');
    const isIn = (...folders: string[]): boolean =>
      folders.some((folder) => target.startsWith(`src/${folder}/`));
    if (isOf(file, 'src/shared/domain')) return !isTest && !isIn('shared/domain');
    if (isOf(file, 'src/simulator')) return isIn('server', 'web');
    if (isOf(file, 'src/shared')) return isIn('server', 'web', 'simulator') || target.startsWith('node:');
    if (isOf(file, 'src/server'))
      return path.startsWith('../') || isIn('web', 'simulator') || !mayImport(file, target, isTest);
    if (!isOf(file, 'src/web')) return false;
    if (path.startsWith('../') || isIn('server', 'simulator') || target.startsWith('node:')) return true;
    if (MAP_LIBRARY.test(path)) return !isOf(file, 'src/web/map');
    if (CHART_LIBRARY.test(path)) return !isOf(file, 'src/web/chart');
    if (isOf(file, 'src/web/app') || dirname(file) === 'src/web') return false;
    // Only app/ may import from features/. A feature imports its own files by './', and no other feature.
    if (isIn('web/app')) return true;
    if (isIn('web/features')) return !path.startsWith('./');
    return isIn('web/map') && isOf(file, 'src/web/chart');
  });
}

function mayImport(file: string, target: string, isTest: boolean): boolean {
  const folders = Object.keys(SERVER).filter((folder) => isOf(file, `src/server/${folder}`));
  const own = folders.sort((a, b) => b.length - a.length)[0];
  if (own === undefined || (isTest && own !== 'platform') || !isOf(target, 'src/server')) return true;
  const allowed = [own, ...(SERVER[own] as string).split(' ')].filter((folder) => folder !== '');
  return allowed.some((folder) => target === `src/server/${folder}` || isOf(target, `src/server/${folder}`));
}

test('each import is in a direction that the import table allows (11.2)', async () => {
  // Leaves out *.spec.ts: Playwright tests, which run in Node and may import anything.
  const files = (await readdir('src', { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && !/\.spec\.ts$/.test(name),
  );
  const found = await Promise.all(
    files.map(async (name) => {
      const file = join('src', name);
      return forbiddenImports(file, await readFile(file, 'utf8')).map((path) => `${file} imports ${path}`);
    }),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(found.flat()).toEqual([]);
});

test('each row of the import table names an existing folder', async () => {
  const named = [
    ...new Set(Object.entries(SERVER).flatMap(([folder, known]) => [folder, ...known.split(' ')])),
  ];
  const there = await readdir('src/server', { recursive: true });
  expect(named.filter((folder) => folder !== '' && !there.includes(folder))).toEqual([]);
});

test.each([
  ['src/shared/domain', `export { z } from 'zod';`],
  ['src/shared/domain', `export { readFile } from 'node:fs';`],
  ['src/shared/domain', `export { api } from '#shared/contract/api.ts';`],
  ['src/shared/contract', `export { readConfig } from '#server/config.ts';`],
  ['src/server/tiles', `export * from '#web/main.tsx';`],
  ['src/server/tiles', `export * from '../config.ts';`],
  ...Object.keys(SERVER).map((folder) => [`src/server/${folder}`, `import '#server/app.ts';`]),
  ['src/server/telemetry/decode', `export * from '#server/telemetry/write-queue.ts';`],
  ['src/server/machines', `import {\n  a,\n} from '#server/lmb-loggers/lmb-loggers.store.ts';`],
  ['src/server/history', `export * from '#server/machines/machines.store.ts';`],
  ['src/server/projects', `export * from '#server/reports/report.ts';`],
  ['src/server/webhooks', `export * from '#server/mail/mail.ts';`],
  ['src/simulator', `export * from '#server/config.ts';`],
  ['src/web/app', `export * from '#server/config.ts';`],
  ['src/web/app', `export * from 'leaflet';`],
  ['src/web/app', `export * from 'uplot';`],
  ['src/web/features/sign-in', `export const load = () => import('leaflet');`],
  ['src/web/features/sign-in', `export const load = () => import('uplot');`],
  ['src/web/features/sign-in', `export * from '#web/features/fleet-map/fleet-map-page.tsx';`],
  ['src/web/features/sign-in', `export * from '#web/app/routes.tsx';`],
  ['src/web/map', `export * from '#web/features/sign-in/sign-in-page.tsx';`],
  ['src/web/chart', `export * from '#web/map/map.tsx';`],
  ['src/web/ui', `export * from '#web/features/sign-in/sign-in-page.tsx';`],
])('the import table forbids %s to contain %s (11.2)', (folder, line) => {
  expect(forbiddenImports(`${folder}/planted.ts`, line)).toHaveLength(1);
});

test.each([
  ['src/server/machines', `export { releaseWriter } from '#server/writers/writers.store.ts';`],
  ['src/server/telemetry', `import { z } from 'zod';\nimport './reading.ts';`],
  ['src/server/tiles', `export * from '#server/reports/report.ts';`],
  ['src/web/map', `import L from 'leaflet';`],
  ['src/web/app', `export const load = () => import('#web/features/sign-in/sign-in-page.tsx');`],
])('the import table allows %s to contain %s', (folder, line) => {
  expect(forbiddenImports(`${folder}/planted.ts`, line)).toEqual([]);
});

test('two files that import each other are an error, even if they import only types (11.2)', async () => {
  const tree = await mkdtemp(join(tmpdir(), 'werkstroom-arrows-'));
  try {
    for (const file of ['biome.json', 'package.json', '.gitignore']) await cp(file, join(tree, file));
    const files = [1, 2].map((n) => `src/shared/domain/planted-circle-${n}.ts`);
    for (const [n, file] of files.entries()) {
      await mkdir(dirname(join(tree, file)), { recursive: true });
      const other = basename(files[1 - n] as string);
      await writeFile(join(tree, file), `import type { Type } from './${other}';\nexport type { Type };\n`);
    }
    const biome = resolve('node_modules/.bin/biome');
    const { stdout } = await promisify(execFile)(biome, ['lint', '--reporter=json', ...files], {
      cwd: tree,
    }).catch((failed: { stdout: string }) => failed);
    const circles = JSON.parse(stdout).diagnostics.filter(({ category }: { category: string }) =>
      category.endsWith('noImportCycles'),
    );
    expect(circles.map(({ location }: { location: { path: string } }) => location.path).sort()).toEqual(
      files,
    );
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
});
