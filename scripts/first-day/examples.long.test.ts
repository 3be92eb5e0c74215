import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, test } from 'vitest';
import { applyExample } from './apply-example.ts';
import { CHANGE_EXAMPLES } from './examples.ts';

/** Tests that fail if a change of this kind leaves a file out: filters of test files, by vitest project. */
const GUARDS: Readonly<Record<string, { readonly unit: string[]; readonly server: string[] }>> = {
  'A noun': {
    unit: ['src/server/api-docs', 'src/shared', 'src/web/app', 'src/web/queries', 'scripts'],
    server: ['principals.pg', 'schema', 'upgrade.external', 'src/server/inspections'],
  },
  'A call': { unit: ['src/server/api-docs', 'src/shared/contract'], server: ['principals.pg'] },
  'A signal': {
    unit: ['src/shared/domain/signal', 'src/server/definitions', 'src/web/features/definition'],
    server: ['schema.external', 'upgrade.external', 'src/server/live'],
  },
  'A table': {
    unit: ['src/server/backup'],
    server: ['schema.external', 'upgrade.external', 'principals.pg'],
  },
  'An alert kind': {
    unit: ['src/shared/domain/alerts', 'src/web/map', 'src/web/features/alert-rules'],
    server: ['alert-rules', 'alerts.pg'],
  },
  'A screen': { unit: ['src/web/app', 'src/web/service-worker', 'scripts/folders'], server: [] },
};
const MINUTES = 60_000;

let folder: string | undefined;
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a program of node_modules/.bin in the copy that has the example. @throws Error with the program's output when it fails */
async function run(program: string, ...words: readonly string[]): Promise<void> {
  const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
  await promisify(execFile)(resolve('node_modules/.bin', program), [...words], {
    cwd: folder,
    env: { ...environment, NO_COLOR: '1' },
    maxBuffer: 32 * 1024 ** 2,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${program} ${words.join(' ')} in ${folder}:\n${stdout}${stderr}`);
  });
}

test.each(Object.entries(CHANGE_EXAMPLES))(
  '%s: the files that CONTRIBUTING.md lists are enough',
  async (heading, example) => {
    folder = await applyExample(example);
    const { unit, server } = GUARDS[heading] ?? { unit: [], server: [] };
    const sources = Object.keys(example).filter((file) => /\.tsx?$/.test(file));
    if (sources.length > 0) await run('biome', 'check', ...sources);
    await run('tsc', '-b', '--checkers', '1');
    await run('vitest', 'run', '--project', 'server', 'schema-text.external', '--update');
    await run('node', 'scripts/check-sql/main.ts', '--write');
    await run('vitest', 'run', '--project', 'unit', ...unit);
    if (server.length > 0) await run('vitest', 'run', '--project', 'server', ...server);
  },
  20 * MINUTES,
);
