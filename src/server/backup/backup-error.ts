import { CommandError } from '#server/command.ts';

/** Why a backup cannot be made, read or restored. */
export class BackupError extends CommandError {}
