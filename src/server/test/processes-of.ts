import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const read = (get: () => string): string => {
  try {
    return get();
  } catch {
    // The process has ended after its folder in /proc was listed.
    return '';
  }
};

/** Returns the id and command line of processes whose environment, arguments or working directory name this data folder. Linux only. */
export const listProcessesOfFolder = (dataDir: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      const environment = read(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
      const place = read(() => readlinkSync(`/proc/${pid}/cwd`));
      const isOne =
        environment.includes(`DATA_DIR=${dataDir}\0`) ||
        command.includes(dataDir) ||
        place.startsWith(dataDir);
      return isOne ? [`${pid} ${command}`] : [];
    });
