import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The rules of a .dockerignore as a predicate: whether a path, relative and with slashes, is left out. The last rule
 * that fits counts, `!` takes back in, a rule for a folder holds for all in it
 * (docs.docker.com/build/concepts/context). Only `*`, `**` and plain names: other signs throw.
 */
export function dockerIgnore(text: string): (path: string) => boolean {
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
  if (/[?[\]\\]/.test(rule)) throw new Error(`This sign is not understood here: ${rule}`);
  const source = rule
    .split('/')
    .map((part) => (part === '**' ? '(?:.*)' : part.replace(/[.+^${}()|]/g, '\\$&').replaceAll('*', '[^/]*')))
    .join('/')
    .replaceAll('(?:.*)/', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}

/** Folders that are never part of a context and large. */
const SKIPPED = new Set(['node_modules', '.git', 'data', 'dist', '.tsbuild', 'test-results']);

/** Every file below `root` that is let through, relative, in the order of the alphabet. */
export function dockerContext(root: string, ignores: (path: string) => boolean): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) && folder === '' ? [] : below(path);
      return ignores(path) ? [] : [path];
    });
  return below('').sort();
}
