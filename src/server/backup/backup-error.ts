/** A reason that a backup cannot be made, read or restored, which a person can do something about; shown without a stack. */
export class BackupError extends Error {}
