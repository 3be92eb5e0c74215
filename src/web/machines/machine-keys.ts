/** Query keys that several screens share, so that a change on one screen refreshes the others. */

/** The list of machines. */
export const MACHINES = ['machines'] as const;

/** Deleted machines that can be restored. */
export const DELETED_MACHINES = ['machines', 'deleted'] as const;

/** A machine's record, by serial number. */
export const machineKey = (serial: string) => ['machine', serial] as const;

/** The data definition of a machine or LMB logger, by serial number or loggerid. */
export const definitionKey = (serial: string) => ['definition', serial] as const;

/** A logger's health, by the serial number or loggerid that it reports for. */
export const loggerHealthKey = (serial: string) => ['logger-health', serial] as const;

/** The stored log files of a machine's or LMB logger's loggers, by its serial number or loggerid. */
export const logFilesKey = (serial: string) => ['log-files', serial] as const;

/** The list of LMB loggers; the key of one logger adds its name. */
export const LMB_LOGGERS = ['lmb-loggers'] as const;

/** Deleted LMB loggers that can be restored. */
export const DELETED_LMB_LOGGERS = ['lmb-loggers', 'deleted'] as const;
