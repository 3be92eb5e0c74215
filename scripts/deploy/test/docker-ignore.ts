import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a predicate of a .dockerignore: whether a relative path with slashes is ignored. The last matching rule wins, `!`
 * includes again, and a rule for a folder applies to everything in it (docs.docker.com/build/concepts/context). Supports `*`, `**`
 * and plain names; other characters throw.
 */
export function parseDockerIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ leavesOut: !line.startsWith('!'), pattern: regularOf(line.replace(/^!/, '')) }));
  return (path) => {
    let out = false;
    for (const { leavesOut, pattern } of rules) if (pattern.test(path)) out = leavesOut;
    return out;
  };
}

function regularOf(rule: string): RegExp {
  if (/[?[\]\\]/.test(rule)) throw new Error(`Unsupported pattern: ${rule}`);
  const source = rule
    .split('/')
    .map((part) => (part === '**' ? '(?:.*)' : part.replace(/[.+^${}()|]/g, '\\$&').replaceAll('*', '[^/]*')))
    .join('/')
    .replaceAll('(?:.*)/', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}

/** Large folders that are never part of a context. */
const SKIPPED = new Set(['node_modules', '.git', 'data', 'dist', '.tsbuild', 'test-results']);

/** Returns the relative paths of all files below `root` that are not ignored, sorted. */
export function dockerContext(root: string, ignores: (path: string) => boolean): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) && folder === '' ? [] : below(path);
      return ignores(path) ? [] : [path];
    });
  return below('').sort();
}
