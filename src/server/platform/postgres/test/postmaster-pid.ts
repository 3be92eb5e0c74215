import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The postmaster of a portal's data folder, as it says itself. */
export const postmasterPid = (dataDir: string): Promise<number> => clusterPid(path.join(dataDir, 'postgres'));

/** The postmaster of a cluster. */
async function clusterPid(cluster: string): Promise<number> {
  return Number((await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** To the postmaster and all of its processes (Linux); one that ends meanwhile is left out. */
export async function signalCluster(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8'))
    .trim()
    .split(' ');
  for (const pid of [String(postmaster), ...children]) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // A backend that ended by itself.
    }
  }
}
