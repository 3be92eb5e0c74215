import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

/** Adds `put` after the only place that holds `after`, or before the only one that holds `before`. */
export type TextInsertion = { readonly put: string } & (
  | { readonly after: string }
  | { readonly before: string }
);

/** A worked example of a common change: the text of each new file, and the insertions in each existing one. */
export type ChangeExample = Readonly<Record<string, string | readonly TextInsertion[]>>;

/** Not copied: the copy links to the packages, and needs no history, data or build. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'data', 'dist', 'test-results', 'playwright-report']);

/**
 * Copies the working tree to a temporary folder and applies the example there.
 * @returns the folder; the caller deletes it
 * @throws Error if the text at which to insert is missing or occurs more than once
 */
export async function applyExample(example: ChangeExample): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-example-'));
  await cp('.', folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !LEFT_OUT.has(relative('.', path).split('/', 1)[0] ?? ''),
  });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  for (const [name, change] of Object.entries(example)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      typeof change === 'string' ? change : applyInsertions(await readFile(file, 'utf8'), change, name),
    );
  }
  return folder;
}

/** Returns the text of a file with the insertions. @throws Error if the text at which to insert is missing or occurs more than once */
export function applyInsertions(text: string, insertions: readonly TextInsertion[], name: string): string {
  return insertions.reduce((present, insertion) => {
    const place = 'after' in insertion ? insertion.after : insertion.before;
    const parts = present.split(place);
    if (parts.length !== 2)
      throw new Error(`${name} holds ${parts.length - 1} times: ${place}. Repair the example.`);
    return parts.join('after' in insertion ? place + insertion.put : insertion.put + place);
  }, text);
}
