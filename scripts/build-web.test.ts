import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildForProduction } from './build-web.ts';

test('pages are built for production, whatever NODE_ENV is (53.26)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-build-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const input = join(folder, 'page.js');
  await writeFile(input, 'console.log(process.env.NODE_ENV);');
  const output = { entryFileNames: 'built.js' };
  await buildForProduction({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { outDir: folder, emptyOutDir: false, rolldownOptions: { input, output } },
  });
  expect(await readFile(join(folder, 'built.js'), 'utf8')).toContain('production');
  expect(process.env.NODE_ENV).toBe('test');
});
