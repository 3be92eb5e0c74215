import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADVISORY_LOCK_KEYS } from './advisory-locks.ts';

const REGISTRY = 'src/server/platform/advisory-locks.ts';
const files = globSync(['src/**/*.ts', 'src/**/*.sql', 'migrations/*.sql']).filter(
  (file) => file !== REGISTRY,
);
const lockingFiles = files.filter(
  (file) => !/\.test\.ts$|\/test\//.test(file) && readFileSync(file, 'utf8').includes('advisory'),
);

test('every advisory lock has a number of its own', () => {
  const numbers = Object.values(ADVISORY_LOCK_KEYS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('no file except advisory-locks.ts contains the number of an advisory lock', () => {
  const written = new RegExp(
    Object.values(ADVISORY_LOCK_KEYS)
      .map((number) => String(Math.abs(number)).replace(/(?=(?:\d{3})+$)/g, '_?'))
      .join('|'),
  );
  expect(files.filter((file) => written.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('every statement that takes an advisory lock refers to the lock by its name', () => {
  expect(lockingFiles.length).toBeGreaterThan(10);
  for (const file of lockingFiles) {
    const calls = [...readFileSync(file, 'utf8').matchAll(/advisory_\w+\(([^)]*\)?)/g)];
    expect(calls.length, file).toBeGreaterThan(0);
    for (const [, key] of calls)
      expect(`${file}: ${key}`).toMatch(/: (\$1|\$\{ADVISORY_LOCK_KEYS\.)|weeks\.sql: hashtext\('/);
    if (file.endsWith('.ts'))
      expect(readFileSync(file, 'utf8'), file).toMatch(/import \{ ADVISORY_LOCK_KEYS \} from/);
  }
});
