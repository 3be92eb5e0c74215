/** What is to be told of the portal itself to its administrators (docs/alerts.md section 3). */
import { ageText, decimals, plainNumber } from '../nl.ts';
import type { OperatorKind, RuleSettings } from './kinds.ts';
import type { Found } from './standing.ts';

/** What is known of the portal now; ms. */
export type Operating = {
  /** Keys that are no logger's, of those seen in the last 24 hours. */
  readonly unknownKeys: readonly UnknownKey[];
  /** Of the last 24 hours, by logger. */
  readonly quarantined: readonly { readonly loggerSerial: string; readonly count: number }[];
  /** The newest configurations that were downloaded and that their loggers do not run. */
  readonly configurations: readonly { readonly serial: string; readonly downloadedAt: number }[];
  /** Loggers whose newest log files gave no reading: how many files in a row, since when, and the newest one's outcome. */
  readonly emptyLogs: readonly EmptyLogs[];
  readonly mails: {
    /** Since when the oldest of those waits that failed at least once. */
    readonly since: number | undefined;
    readonly waiting: number;
    /** In the last 24 hours. */
    readonly givenUp: number;
  };
  /** When the newest one that was read back was made, or else the database was. */
  readonly backupAt: number;
  /** Since when scheduled backups fail, and why. */
  readonly backupFailure: { readonly since: number; readonly reason: string } | undefined;
  readonly disks: readonly Disk[];
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
  readonly outcome: string;
};
/** bytes */
export type Disk = { readonly place: string; readonly free: number; readonly all: number };

/** Strangers can make up as many keys as they like. */
export const MOST_KEYS = 50;
const NONE: readonly Found[] = [];
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

type Judge = (
  operating: Operating,
  settings: RuleSettings,
  now: number,
  open: ReadonlySet<string>,
) => readonly Found[];

const JUDGES: Readonly<Record<OperatorKind, Judge>> = {
  'unknown-logger'({ unknownKeys }, { threshold = 0 }, now) {
    return unknownKeys
      .filter(({ count }) => count >= threshold)
      .sort((a, b) => a.firstSeen - b.firstSeen)
      .slice(0, MOST_KEYS)
      .map(({ accessKey, firstSeen, count }) => ({
        since: firstSeen,
        at: now,
        words: `${plainNumber(count)} keer geweigerd`,
        value: count,
        subject: accessKey,
      }));
  },

  quarantine({ quarantined }, { threshold = 0, clear = threshold }, now, open) {
    const count = quarantined.reduce((sum, one) => sum + one.count, 0);
    if (open.has('') ? count < clear : count <= threshold) return NONE;
    const [most] = [...quarantined].sort((a, b) => b.count - a.count);
    const words = `${plainNumber(count)} in 24 uur, de meeste van logger ${most?.loggerSerial} (${plainNumber(most?.count ?? 0)})`;
    return [{ since: now, at: now, words, value: count, subject: '' }];
  },

  'config-not-running'({ configurations }, { threshold = 0 }, now) {
    return configurations
      .filter(({ downloadedAt }) => downloadedAt + threshold * HOUR_MS <= now)
      .map(({ serial, downloadedAt }) => ({
        since: downloadedAt,
        at: now,
        words: 'het gedownloade bestand draait nog niet',
        value: (now - downloadedAt) / HOUR_MS,
        subject: serial,
      }));
  },

  'logs-empty'({ emptyLogs }, { threshold = 0 }, now) {
    return emptyLogs
      .filter(({ count }) => count >= threshold)
      .map(({ serial, count, since, outcome }) => ({
        since,
        at: now,
        words: `de laatste ${plainNumber(count)} logbestanden: ${outcome}`,
        value: count,
        subject: serial,
      }));
  },

  'mail-failing'({ mails }, { threshold = 0 }, now) {
    const { since = now, waiting, givenUp } = mails;
    const isLate = waiting > 0 && since + threshold * MINUTE_MS <= now;
    if (!isLate && givenUp === 0) return NONE;
    const words = [
      ...(isLate ? [`${mailsInWords(waiting)} al ${ageText(now - since)} niet verstuurd`] : []),
      ...(givenUp > 0 ? [`${mailsInWords(givenUp)} opgegeven`] : []),
    ].join(', ');
    const late = isLate && { value: (now - since) / MINUTE_MS };
    return [{ since: isLate ? since : now, at: now, words, ...late, subject: '' }];
  },

  'backup-old'({ backupAt, backupFailure }, { threshold = 0 }, now) {
    const isOld = backupAt + threshold * DAY_MS <= now;
    if (!isOld && !backupFailure) return NONE;
    const words = [
      ...(isOld ? [`al ${ageText(now - backupAt)} geen back-up gemaakt`] : []),
      ...(backupFailure ? [`de back-up van BACKUP_AT mislukt: ${backupFailure.reason}`] : []),
    ].join('; ');
    const value = (now - backupAt) / DAY_MS;
    return [{ since: isOld ? backupAt : (backupFailure?.since ?? now), at: now, words, value, subject: '' }];
  },

  disk({ disks }, { threshold = 0, clear = threshold }, now, open) {
    return disks
      .filter(({ place, free, all }) => (100 * free) / all < (open.has(place) ? clear : threshold))
      .map(({ place, free, all }) => ({
        since: now,
        at: now,
        words: `nog ${decimals((100 * free) / all, 1)}% vrij: ${gigabytes(free)} van ${gigabytes(all)}`,
        value: (100 * free) / all,
        subject: place,
      }));
  },
};

const gigabytes = (bytes: number): string => `${decimals(bytes / 2 ** 30, 1)} GB`;
const mailsInWords = (count: number): string => (count === 1 ? '1 mail' : `${plainNumber(count)} mails`);

/** What is so of the portal now, by the numbers of a rule. @param open subjects of what is told of it already */
export const judgeOperating = (
  kind: OperatorKind,
  operating: Operating,
  settings: RuleSettings,
  now: number,
  open: ReadonlySet<string>,
): readonly Found[] => JUDGES[kind](operating, settings, now, open);
