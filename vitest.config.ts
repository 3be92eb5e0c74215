import { defineConfig } from 'vitest/config';
import { hasExternalPostgres } from './src/server/test/external-programs.ts';

/**
 * The name of a test file says what the file needs and when it runs:
 *
 * - `*.test.ts`: needs node.
 * - `*.pg.test.ts`: needs the embedded PostgreSQL, in which each file gets its own database.
 * - `*.external.pg.test.ts`: runs on the embedded PostgreSQL and on an external one, as a customer may have it.
 * - `*.long.….test.ts`: runs in `npm run test:all` only; the others run in `npm test` too.
 */
const LONG = '**/*.long.*';
const EMBEDDED = ['src/server/test/postgres.ts'];
const SERVER = {
  // These check every log row and every answer that a test causes.
  setupFiles: ['src/server/test/logged-texts.ts', 'src/server/test/answered-texts.ts'],
  globalSetup: EMBEDDED,
  // Few random machines, because `unit` compares more of them, without a database.
  env: { ORACLE_SEEDS: process.env.ORACLE_SEEDS ?? '4' },
};
const external = (files: string) => ({
  ...SERVER,
  include: [hasExternalPostgres() ? files : 'src/server/test/external-postgres.absent.ts'],
  globalSetup: ['src/server/test/external-postgres.ts'],
});

/** Projects with the same `groupOrder` run at the same time, after those with a lower one. */
const project = (name: string, groupOrder: number, maxWorkers: number, options: object) => ({
  extends: true as const,
  test: { name, sequence: { groupOrder }, maxWorkers, ...options },
});

export default defineConfig({
  test: {
    setupFiles: ['src/server/test/fixed-seed.ts'],
    // Loading the modules again for each file would take as long as the tests.
    isolate: false,
    // Work of 10 ms takes seconds on a busy machine; by default `expect.poll` gives up after 1 s.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      project('unit', 0, 2, {
        include: ['{src,scripts,bench}/**/*.test.ts'],
        exclude: [LONG, '**/*.pg.test.ts'],
        unstubGlobals: true,
        restoreMocks: true,
      }),
      // More workers than cores, because tests wait for processes and e-mails.
      project('server', 1, 4, { ...SERVER, include: ['src/**/*.pg.test.ts'], exclude: [LONG] }),
      project('external', 1, 4, { ...external('src/**/*.external.pg.test.ts'), exclude: [LONG] }),
      project('long-server', 2, 4, { ...SERVER, include: ['src/**/*.long*.pg.test.ts'] }),
      project('long', 3, 2, { globalSetup: EMBEDDED, include: ['{src,scripts,bench}/**/*.long.test.ts'] }),
      project('long-external', 4, 2, external('src/**/*.long.external.pg.test.ts')),
    ],
  },
});
