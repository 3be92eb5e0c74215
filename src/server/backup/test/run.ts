import { execFile } from 'node:child_process';
import { splitStderr } from '#server/test/split-stderr.ts';

/** The exit code and output of a command; its audit rows are separated from the rest of standard error. */
export type CommandOutput = ReturnType<typeof splitStderr> & {
  readonly code: number;
  readonly stdout: string;
};

/**
 * Runs `npm run backup -- …` or `npm run restore -- …` with these settings only.
 * @param shell a line of sh that runs "$0" "$@" in a changed environment
 */
export function runCommand(
  command: 'backup' | 'restore',
  file: string | readonly string[],
  settings: Record<string, string>,
  shell?: string,
): Promise<CommandOutput> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
  return new Promise((done) => {
    const words = [process.execPath, 'werkstroom.js', command, ...[file].flat()];
    const [program = '', ...args] = shell ? ['sh', '-c', shell, ...words] : words;
    execFile(program, args, { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, ...splitStderr(stderr) }),
    );
  });
}
