import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Recorded drives and DBC files of third parties, which are stored next to the repository. */
const folder = resolve('../shared/data');

export const hasSharedData = existsSync(folder);

export const sharedData = (name: string): Buffer => readFileSync(resolve(folder, name));
