import { spawnSync } from 'node:child_process';

type Step = {
  readonly name: string;
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** All checks. ORACLE_SEEDS is the number of random machines; `npm test` uses fewer. */
const STEPS: readonly Step[] = [
  { name: 'format and lint', command: 'biome ci .' },
  { name: 'types', command: 'tsc -b --checkers 1' },
  { name: 'statements', command: 'node scripts/check-sql/main.ts' },
  { name: 'unit tests', command: 'vitest run --project=unit', environment: { ORACLE_SEEDS: '300' } },
  { name: 'server tests', command: 'vitest run --project=!unit', environment: { ORACLE_SEEDS: '40' } },
  { name: 'browser tests', command: 'playwright test' },
  { name: 'a seventh of the authorization proofs', command: 'node werkstroom.js prove --today' },
];

/** Runs a step. @returns whether the command exited with 0, and one line about it */
function run({ name, command, environment }: Step): { readonly isPassed: boolean; readonly line: string } {
  process.stdout.write(`\n== ${name}: ${command}\n`);
  const startedAt = Date.now();
  const { status } = spawnSync('npx', command.split(' '), {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  return { isPassed: status === 0, line: `${status === 0 ? 'passed' : 'FAILED'}  ${minutes} min  ${name}` };
}

// A failed step does not stop the other steps.
const results = STEPS.map(run);
process.stdout.write(`\n${results.map(({ line }) => line).join('\n')}\n`);
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;
