import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLivingOwner } from '#server/platform/postgres/owner-lock.ts';

/** Thrown if the demo cannot start; the message says why, in a sentence. */
export class DemoStartError extends Error {}

/** File that marks a folder of the demo, so that no other folder is emptied or seeded. */
export const DEMO_MARKER_FILE = 'demo';
const MARK_TEXT = 'This folder belongs to `npm run demo`, which may empty it.\n';

/**
 * Prepares the demo's data folder, and empties it if `fresh`.
 * @param isDefault whether the folder is data/demo, which needs no mark
 * @throws DemoStartError if another process uses the folder, or if it is not the demo's
 */
export async function prepareDemoFolder(
  folder: string,
  { fresh, isDefault }: { readonly fresh: boolean; readonly isDefault: boolean },
): Promise<void> {
  try {
    const names = await namesIn(folder);
    if (names.length > 0 && !isDefault && !names.includes(DEMO_MARKER_FILE)) {
      throw new DemoStartError(
        `DATA_DIR ${folder} has no mark of the demo (a file named demo), so the demo does not touch it. Unset DATA_DIR, or set it to an empty folder.`,
      );
    }
    const owner = names.length > 0 ? await findLivingOwner(folder) : undefined;
    if (owner) {
      throw new DemoStartError(`The data in ${folder} are in use by process ${owner.pid}. Stop that first.`);
    }
    if (fresh) await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, DEMO_MARKER_FILE), MARK_TEXT);
  } catch (error) {
    if (error instanceof DemoStartError) throw error;
    throw new DemoStartError(
      `The demo cannot use ${folder}: ${(error as Error).message}. Set DATA_DIR to an empty folder of your own.`,
    );
  }
}

/** Returns the names of a folder's entries; [] if the folder does not exist. @throws if the path is that of a file */
async function namesIn(folder: string): Promise<string[]> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found ? readdir(folder) : [];
}
