import { open } from 'node:fs/promises';

/** Makes a rename survive a power cut by syncing its folder; Windows cannot and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
