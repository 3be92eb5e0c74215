import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Recorded drives and DBC files of others stand beside the project and are not part of it. */
const folder = resolve('../shared/data');

export const hasSharedData = existsSync(folder);

export const sharedData = (name: string): Buffer => readFileSync(resolve(folder, name));
