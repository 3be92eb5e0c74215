import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Vitest configuration for the fault-injection tests that run in Vitest: those that `npm test` runs too, and longer ones (*.fault.ts). */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../', import.meta.url)),
    include: ['src/server/test/faults/*.{pg.test,long.test,fault}.ts'],
    globalSetup: ['src/server/test/postgres.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
});
