import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

/** Patterns that take more than linear time, each with the reason why the texts that it reads are short or trusted. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/\\((.*)\\) \\S (\\d+)/': 'reads /proc/PID/stat, which the kernel writes',
  '/\\/+$/': "reads the operator's PUBLIC_URL",
  '/\\{\\{(?:(\\w+): )?(.*?)\\}\\}/gs': 'reads our own SQL',
  '/Exec format error|required file not found|spawn .* ENOENT|not found$/im':
    'reads what PostgreSQL says when it does not start',
  '/^(.+?)\\1+$/su': 'reads a new password, of 128 characters at most (shared/domain/new-password.ts)',
};

type Found = { readonly pattern: RegExp; readonly files: string[] };

/** Returns every regular expression literal of the product's source, with the files in which it stands. */
function findPatterns(): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const file of globSync('src/**/*.{ts,tsx}')) {
    if (/\.(?:test|spec)\.ts|\/test\//.test(file)) continue;
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      if (regex) {
        const name = `/${regex.pattern}/${regex.flags}`;
        const known = found.get(name) ?? { pattern: new RegExp(regex.pattern, regex.flags), files: [] };
        known.files.push(file);
        found.set(name, known);
      }
      Object.values(node).forEach(visit);
    };
    visit(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);
  }
  return found;
}

const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)),
  ...['\t', '\n', '\r', '\0', 'é', '\u2028', '€'],
];
/** Units to repeat: at the boundary between two units a pattern may begin to match again. */
const UNITS = ['a.', 'a-', 'a ', '1.', 'a@', ', ', '. ', '="', '%4', '\\"'];

/** Returns the processor time of this thread in ms, which excludes other work on the machine. */
function cpuOf(work: () => void): number {
  const before = process.threadCpuUsage().user;
  work();
  return (process.threadCpuUsage().user - before) / 1000;
}

/**
 * Pairs: the length of a text, and the longest time in ms that a linear pattern takes for it. A quadratic one takes at least twice
 * that.
 */
const STEPS = [
  [2_048, 1],
  [65_536, 100],
] as const;

/**
 * Returns whether a pattern takes more than linear time on a repeated unit. The short text goes first, because
 * a slow pattern would never finish the long one.
 */
function isSlow(pattern: RegExp, unit: string): boolean {
  const read = (text: string): void => {
    pattern.lastIndex = 0;
    if (pattern.global) text.replace(pattern, '');
    else pattern.exec(text);
  };
  return STEPS.some(([length, maxMs]) =>
    ['', '\0'].some((end) => {
      const text = unit.repeat(length / unit.length) + end;
      // The first run compiles the pattern.
      return [1, 2, 3].every(() => cpuOf(() => read(text)) > maxMs);
    }),
  );
}

test('every regular expression takes linear time for 64 kB of any repeated character, or reads bounded text only (41.1)', {
  timeout: 240_000,
}, () => {
  const patterns = findPatterns();
  expect(patterns.size).toBeGreaterThan(250);
  const slow = [...patterns].flatMap(([name, { pattern, files }]) => {
    if (name in BOUNDED) return [];
    const literals = name.match(/[A-Za-z0-9:"'@/ .=<>-]{2,6}/g) ?? [];
    const unit = [...CHARACTERS, ...UNITS, ...literals].find((each) => isSlow(pattern, each));
    return unit === undefined ? [] : [{ name, files, unit }];
  });
  expect(slow).toEqual([]);
});
