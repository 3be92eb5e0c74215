import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FILE = fileURLToPath(new URL('./idle-garbage.ts', import.meta.url));

/** Runs code in a process with a heap of 200 MB, nearly all of it garbage. @returns what it prints */
function run(code: string, options: readonly string[] = ['--expose-gc']): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...options,
      '--input-type=module',
      '--eval',
      `const { collectIfIdle } = await import(${JSON.stringify(FILE)});
       let kept = [];
       for (let n = 0; n < 200; n += 1) kept.push(Array.from({ length: 20_000 }, (_, k) => ({ k })));
       const since = performance.eventLoopUtilization();
       const mib = () => process.memoryUsage().heapTotal / 2 ** 20;
       const later = (ms) => new Promise((done) => setTimeout(done, ms));
       const large = mib();
       ${code}`,
    ],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('a process collects its garbage when it is idle, but not when it is busy or has a large heap in use (45.9)', () => {
  expect(
    run(`kept = []; await later(500);
      const [collected, again] = [collectIfIdle(since), collectIfIdle(since)];
      console.log(JSON.stringify([large > 128, collected, mib() < 64, again]))`),
  ).toEqual([true, true, true, false]);
  expect(
    run(`kept = []; await later(0); const until = performance.now() + 300; while (performance.now() < until); await later(0);
      console.log(JSON.stringify(collectIfIdle(since)))`),
  ).toBe(false);
  expect(
    run(`for (let n = 0; n < 200; n += 1) kept.push(Array.from({ length: 20_000 }, (_, k) => ({ k }))); await later(3000);
      console.log(JSON.stringify([process.memoryUsage().heapUsed > 2 ** 28, collectIfIdle(since)]))`),
  ).toEqual([true, false]);
});

test('collectIfIdle collects no garbage without --expose-gc (45.9)', () => {
  expect(run('kept = []; await later(500); console.log(JSON.stringify(collectIfIdle(since)))', [])).toBe(
    false,
  );
});
