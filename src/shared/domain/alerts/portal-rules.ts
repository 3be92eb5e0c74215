/** Rules about the portal itself, for its administrators (docs/alerts.md section 3). */
import { ageText, decimals, plainNumber } from '../nl.ts';
import type { Finding } from './clock-rules.ts';
import type { OperatorKind, RuleSettings } from './kinds.ts';

/** State of the portal for these rules. Times in ms. */
export type PortalState = {
  /** Access keys of no logger that were seen in the last 24 hours. */
  readonly unknownKeys: readonly UnknownKey[];
  /** Quarantined deliveries of the last 24 hours, by logger. */
  readonly quarantined: readonly { readonly loggerSerial: string; readonly count: number }[];
  /** The newest downloaded configurations that their loggers do not run. */
  readonly configurations: readonly { readonly serial: string; readonly downloadedAt: number }[];
  /** Loggers whose newest log files gave no reading: the number of consecutive files, since when, and the outcome of the newest. */
  readonly emptyLogs: readonly EmptyLogs[];
  readonly mails: {
    /** Creation time of the oldest waiting mail that failed at least once. */
    readonly since: number | undefined;
    readonly waiting: number;
    /** Number in the last 24 hours. */
    readonly givenUp: number;
  };
  /** When the newest verified backup was made; without one, when the database was created. */
  readonly backupAt: number;
  /** Since when scheduled backups fail, and the reason. */
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
/** A disk with its free and total bytes. */
export type Disk = { readonly place: string; readonly free: number; readonly all: number };

/** Maximum alerts about unknown keys: a stranger can generate any number of keys. */
export const MOST_KEYS = 50;
const NONE: readonly Finding[] = [];
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

type Evaluator = (
  portal: PortalState,
  settings: RuleSettings,
  now: number,
  open: ReadonlySet<string>,
) => readonly Finding[];

const EVALUATORS: Readonly<Record<OperatorKind, Evaluator>> = {
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
      ...(isLate ? [`${mailsText(waiting)} al ${ageText(now - since)} niet verstuurd`] : []),
      ...(givenUp > 0 ? [`${mailsText(givenUp)} opgegeven`] : []),
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
const mailsText = (count: number): string => (count === 1 ? '1 mail' : `${plainNumber(count)} mails`);

/**
 * Returns the conditions of a rule that hold for the portal now.
 * @param open subjects of the rule's open alerts
 */
export const evaluatePortalRule = (
  kind: OperatorKind,
  portal: PortalState,
  settings: RuleSettings,
  now: number,
  open: ReadonlySet<string>,
): readonly Finding[] => EVALUATORS[kind](portal, settings, now, open);
