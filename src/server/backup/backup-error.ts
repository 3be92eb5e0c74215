import { CommandError } from '#server/command.ts';

/** Why a backup cannot be made, read or restored. */
export class BackupError extends CommandError {}

/** @returns the one argument of the command @throws BackupError with how it is used */
export function fileArgument(usage: string): string {
  const [file, ...more] = process.argv.slice(3);
  if (!file || file.startsWith('-') || more.length > 0) throw new BackupError(usage);
  return file;
}
