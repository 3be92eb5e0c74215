import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { TestedNoun } from './tested-noun.ts';

const SERVER = join(import.meta.dirname, '../../..');

/** The nouns with a file noun.ts in their test folder, in the order of their folders. */
export const NOUNS: readonly TestedNoun[] = await Promise.all(
  globSync('*/test/noun.ts', { cwd: SERVER })
    .sort()
    .map(async (file) => ((await import(join(SERVER, file))) as { readonly noun: TestedNoun }).noun),
);
