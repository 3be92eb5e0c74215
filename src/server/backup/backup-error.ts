import { CommandError } from '#server/command.ts';

/** A backup cannot be made, read or restored; the message says why. */
export class BackupError extends CommandError {}
