import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const read = (get: () => string): string => {
  try {
    return get();
  } catch {
    // It ended meanwhile.
    return '';
  }
};

/** The processes that have to do with a data folder, by environment, arguments or place: command lines. Linux only. */
export const processesOf = (dataDir: string): string[] =>
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
