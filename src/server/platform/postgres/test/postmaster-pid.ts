import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Returns the process id of the postmaster of a portal's data folder, from its postmaster.pid. */
export const postmasterPid = (dataDir: string): Promise<number> => clusterPid(path.join(dataDir, 'postgres'));

async function clusterPid(cluster: string): Promise<number> {
  return Number((await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Signals the postmaster and all of its processes (Linux), except those that end meanwhile. */
export async function signalCluster(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8'))
    .trim()
    .split(' ');
  for (const pid of [String(postmaster), ...children]) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // The backend has already ended.
    }
  }
}
