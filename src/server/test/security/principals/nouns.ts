import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { TestedNoun } from './tested-noun.ts';

const SERVER = join(import.meta.dirname, '../../..');

/** The test data of each folder of the server that has a file noun.ts in its test folder, in the order of the folders. */
export const NOUNS: readonly TestedNoun[] = await Promise.all(
  globSync('*/test/noun.ts', { cwd: SERVER })
    .sort()
    .map(async (file) => ((await import(join(SERVER, file))) as { readonly noun: TestedNoun }).noun),
);
