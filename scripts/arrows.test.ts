import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);

/** A folder, a line that a file in it must not hold, and what the lint says. */
const FORBIDDEN = [
  ['src/shared/domain', `export { z } from 'zod';`, 'domain/ imports only domain/'],
  ['src/shared/domain', `export { readFile } from 'node:fs';`, 'domain/ imports only domain/'],
  ['src/shared/domain', `export { api } from '#shared/contract/api.ts';`, 'domain/ imports only domain/'],
  ['src/shared/contract', `export { readConfig } from '#server/config.ts';`, 'shared/ knows neither side'],
  ['src/server/tiles', `export * from '#web/main.tsx';`, 'server and web meet only in shared/'],
  ['src/server/tiles', `export * from '../config.ts';`, 'server and web meet only in shared/'],
  ['src/server/platform', `export * from '#server/live/live-image.ts';`, 'platform/ knows no module'],
  [
    'src/server/streams',
    `export * from '#server/writers/writers.store.ts';`,
    'streams/ knows platform/ only',
  ],
  [
    'src/server/telemetry/decode',
    `export * from '#server/streams/scope.ts';`,
    'decode/ is pure: no module but its own',
  ],
  [
    'src/server/definitions',
    `export * from '#server/writers/writers.store.ts';`,
    'definitions/ knows streams/, decode/ and logger-config/',
  ],
  [
    'src/server/writers',
    `export * from '#server/machines/machines.store.ts';`,
    'writers/ knows streams/ and definitions/',
  ],
  [
    'src/server/telemetry',
    `export * from '#server/history/range.ts';`,
    'telemetry/ knows the upload endpoint',
  ],
  ['src/server/s3', `export * from '#server/telemetry/write-queue.ts';`, 's3/ knows platform/ only'],
  [
    'src/server/machines',
    `export * from '#server/lmb-loggers/lmb-loggers.store.ts';`,
    'Machines and LMB loggers know streams/',
  ],
  ['src/server/lmb-loggers', `export * from '#server/history/range.ts';`, 'Machines and LMB loggers know'],
  ['src/server/history', `export * from '#server/machines/machines.store.ts';`, 'history/ and live/'],
  [
    'src/server/redecoding',
    `export * from '#server/history/history.routes.ts';`,
    'redecoding/ knows telemetry/',
  ],
  ['src/server/leaving', `export * from '#server/history/range.ts';`, 'leaving/ knows what it removes'],
  ['src/server/subscriptions', `export * from '#server/app.ts';`, 'subscriptions/ knows'],
  [
    'src/server/charging-sessions',
    `export * from '#server/day-figures/list-days.ts';`,
    'charging-sessions <- day-figures',
  ],
  [
    'src/server/day-figures',
    `export * from '#server/projects/projects.store.ts';`,
    'charging-sessions <- day-figures',
  ],
  [
    'src/server/projects',
    `export * from '#server/reports/report.ts';`,
    'charging-sessions <- day-figures <- projects',
  ],
  [
    'src/server/report-factors',
    `export * from '#server/reports/report.ts';`,
    'with report-factors <- reports',
  ],
  ['src/server/reports', `export * from '#server/report-mails/report-files.ts';`, 'reports <- report-mails'],
  [
    'src/server/alerts',
    `export * from '#server/machines/machines.routes.ts';`,
    'alerts/ knows what it looks at',
  ],
  ['src/server/webhooks', `export * from '#server/mail/mail.ts';`, 'webhooks/ knows auth/'],
  ['src/server/maintenance', `export * from '#server/history/range.ts';`, 'maintenance/ knows streams/'],
  [
    'src/server/fault-codes',
    `export * from '#server/alerts/record-alerts.ts';`,
    'fault-codes/ knows streams/',
  ],
  ['src/server/work-weeks', `export * from '#server/mail/mail.ts';`, 'work-weeks/ knows auth/'],
  ['src/server/report-mails', `export * from '#server/app.ts';`, 'reports <- report-mails'],
  ['src/server/push', `export * from '#server/streams/scope.ts';`, 'push/ knows auth/'],
  [
    'src/server/logger-config',
    `export * from '#server/writers/writers.store.ts';`,
    'logger-config/ knows decode/',
  ],
  ['src/simulator', `export * from '#server/config.ts';`, 'The simulator is a client of the product'],
  ['src/web/app', `export * from '#server/config.ts';`, 'web and server meet only in shared/'],
  ['src/web/app', `export * from 'leaflet';`, 'Only web/map knows the map library'],
  ['src/web/features/sign-in', `export const load = () => import('leaflet');`, 'Features meet in app/'],
  [
    'src/web/features/sign-in',
    `export * from '#web/features/fleet-map/fleet-map-page.tsx';`,
    'Features meet in app/',
  ],
  ['src/web/features/sign-in', `export * from '#web/app/routes.tsx';`, 'Features meet in app/'],
  ['src/web/map', `export * from '#web/features/sign-in/sign-in-page.tsx';`, 'map/ knows no feature'],
  ['src/web/features/sign-in', `export const load = () => import('uplot');`, 'Features meet in app/'],
  ['src/web/app', `export * from 'uplot';`, 'Only web/chart knows the chart library'],
  ['src/web/chart', `export * from '#web/features/sign-in/sign-in-page.tsx';`, 'chart/ knows no feature'],
  ['src/web/ui', `export * from '#web/features/sign-in/sign-in-page.tsx';`, 'ui/ and lib/ know no feature'],
] as const;
const ALLOWED = [
  'src/server/machines',
  `export { releaseWriter } from '#server/writers/writers.store.ts';`,
] as const;

/** Two files that know each other by types only. */
const [HERE, THERE] = [1, 2].map((n) => `src/shared/domain/planted-circle-${n}.ts`) as [string, string];
const imports = (file: string, other: string) => ({
  file,
  line: `import type { Type } from './${basename(other)}';\nexport type { Type };`,
});

const plantedIn = (folder: string, n: number): string => `${folder}/planted-${n}.ts`;
const planted = [
  ...[...FORBIDDEN, ALLOWED].map(([folder, line], n) => ({ file: plantedIn(folder, n), line })),
  imports(HERE, THERE),
  imports(THERE, HERE),
];
/** By file: what one run of the lint says. */
const said = new Map<string, string>();

/** A tree of their own: other tests read ours meanwhile. */
let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'werkstroom-arrows-'));
  for (const file of ['biome.json', 'package.json', '.gitignore']) await cp(file, join(tree, file));
  for (const { file, line } of planted) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), `${line}\n`);
  }
  const files = planted.map(({ file }) => file);
  const { stdout } = await run(
    resolve('node_modules/.bin/biome'),
    ['lint', '--reporter=json', '--max-diagnostics=none', ...files],
    { cwd: tree },
  ).catch((failed: { stdout: string }) => failed);
  for (const { category, message, location } of JSON.parse(stdout).diagnostics) {
    said.set(location.path, `${said.get(location.path) ?? ''}${category}: ${message}\n`);
  }
}, 60_000);

afterAll(() => rm(tree, { recursive: true, force: true }));

test.each(FORBIDDEN.map(([folder, line, message], n) => [folder, line, message, n] as const))(
  '11.2 in %s the line %s is an error',
  (folder, _, message, n) => {
    expect(said.get(plantedIn(folder, n))).toContain(message);
  },
);

test('an import that follows the arrows is none', () => {
  expect(said.get(plantedIn(ALLOWED[0], FORBIDDEN.length)) ?? '').not.toContain('noRestrictedImports');
});

test('11.2 two files that import each other are an error, even of types only', () => {
  for (const file of [HERE, THERE]) expect(said.get(file)).toContain('noImportCycles');
});
