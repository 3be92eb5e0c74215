import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';

/** The state of the portal itself, for rules of its administrators (docs/alerts.md section 3). Times in ms. */
export type PortalState = {
  /** Access keys that belong to no logger and were seen in the last 24 hours. */
  readonly unknownKeys: readonly UnknownKey[];
  /** Quarantined uploads of the last 24 hours, by logger. */
  readonly quarantined: readonly { readonly loggerSerial: string; readonly count: number }[];
  /** The newest downloaded configurations that their loggers do not run. */
  readonly configurations: readonly { readonly serial: string; readonly downloadedAt: number }[];
  /** Loggers whose newest log files gave no reading: the number of consecutive files, since when, and what was found in the newest. */
  readonly emptyLogs: readonly EmptyLogs[];
  readonly mails: {
    /** Creation time of the oldest waiting mail that failed at least once. */
    readonly since: number | undefined;
    readonly waiting: number;
    /** Number of mails that the portal gave up in the last 24 hours. */
    readonly givenUp: number;
  };
  /** When the newest verified backup was made; without one, when the database was created. */
  readonly backupAt: number;
  /** Since when scheduled backups fail, and the reason. */
  readonly backupFailure: { readonly since: number; readonly reason: string } | undefined;
  readonly disks: readonly DiskSpace[];
};
export type UnknownKey = {
  readonly accessKey: string;
  readonly firstSeen: number;
  readonly count: number;
};
export type EmptyLogs = {
  /** Serial of the machine or LMB logger. */
  readonly serial: string;
  readonly count: number;
  readonly since: number;
  readonly findings: readonly DeliveryFinding[];
};
/** A disk with its free and total bytes. */
export type DiskSpace = { readonly place: string; readonly free: number; readonly all: number };

/** A state of the portal for which no rule raises an alert. */
export const HEALTHY_PORTAL: PortalState = {
  unknownKeys: [],
  quarantined: [],
  configurations: [],
  emptyLogs: [],
  mails: { since: undefined, waiting: 0, givenUp: 0 },
  backupAt: Number.POSITIVE_INFINITY,
  backupFailure: undefined,
  disks: [],
};
