import { defineConfig } from 'vitest/config';

/** unit: pure, no database. server: the real application on a real PostgreSQL (a database per file). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['src/**/*.pg.test.ts'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/**/*.pg.test.ts'],
          globalSetup: ['src/server/test/postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // More than cores: much of it waits, for processes that start and stop and for mails.
          maxWorkers: 4,
        },
      },
    ],
  },
});
