import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { dockerContext, parseDockerIgnore } from './test/docker-ignore.ts';
import { collectImportClosure } from './test/import-closure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');
const { imports, dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  'imports' | 'dependencies' | 'devDependencies',
  Record<string, string>
>;
const context = new Set(dockerContext(ROOT, parseDockerIgnore(read('.dockerignore'))));

/** Paths of the context that the last stage of the Dockerfile copies. */
const copied = read('deploy/Dockerfile')
  .slice(read('deploy/Dockerfile').lastIndexOf('\nFROM '))
  .split('\n')
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
  .flatMap((line) => line.split(/\s+/).slice(1, -1));
const inImage = [...context].filter((path) =>
  copied.some((source) => path === source || path.startsWith(`${source}/`)),
);

describe('the image', () => {
  const COMMANDS = ['main.ts', 'import.ts', 'backup/backup.ts', 'restore/restore.ts', 'backup/restore.ts']
    .map((name) => `src/server/${name}`)
    .filter((path) => existsSync(ROOT + path));
  const closure = collectImportClosure(ROOT, ['werkstroom.js', ...COMMANDS], imports);

  test('the image contains every file that the start, the import and the backup load', () => {
    expect(COMMANDS).toContain('src/server/main.ts');
    expect([...closure.files].filter((path) => !inImage.includes(path))).toEqual([]);
    expect(closure.files.size).toBeGreaterThan(150);
    // Files that are read at run time, not imported.
    expect(inImage).toEqual(
      expect.arrayContaining([
        'migrations/0001-baseline.sql',
        'src/server/telemetry/sql/store-readings.sql',
        'src/server/api-docs/page.css',
      ]),
    );
  });

  test('the image loads only production packages that package.json names', () => {
    expect([...closure.packages].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
    expect([...closure.packages]).toEqual(
      expect.arrayContaining(['fastify', 'pg', 'prom-client', 'pg-boss']),
    );
  });

  test('the image contains no test, no source of a page and no file outside the project', () => {
    expect(inImage.filter((path) => /\.test\.tsx?$|^src\/(web|simulator)\//.test(path))).toEqual([]);
    for (const path of ['.env', 'deploy/.env', 'data/secrets.key', '.git/config', 'e2e/live.spec.ts']) {
      expect(parseDockerIgnore(read('.dockerignore'))(path)).toBe(true);
    }
  });
});

describe('the stage that builds the pages', () => {
  test('the build stage contains every file that the build and the pages load', () => {
    const { files, packages } = collectImportClosure(
      ROOT,
      ['scripts/build.ts', 'vite.config.ts', 'src/web/main.tsx'],
      imports,
    );
    expect([...files].filter((path) => !context.has(path))).toEqual([]);
    const known = { ...dependencies, ...devDependencies };
    expect([...packages].filter((name) => !Object.hasOwn(known, name))).toEqual([]);
    expect(context).toContain('index.html');
  });
});

test.each<[rules: string, path: string, out: boolean]>([
  ['*\n!src', 'src/a.ts', false],
  ['*\n!src', 'a.ts', true],
  ['*\n!src\n**/*.test.ts', 'src/a/b.test.ts', true],
  ['**/*.test.ts', 'b.test.ts', true],
  ['*\n!tsconfig*.json', 'tsconfig.web.json', false],
  ['*\n!tsconfig*.json', 'sub/tsconfig.web.json', true],
  ['# only words\n\ndata', 'data/x/y', true],
  ['data', 'database.ts', false],
  ['.env', 'xenv', false],
])('a .dockerignore %j ignores the file %s: %s', (rules, path, out) => {
  expect(parseDockerIgnore(rules)(path)).toBe(out);
});
