import type { Database } from '#server/platform/database.ts';
import type { OperatorKind } from '#shared/domain/alerts/kinds.ts';
import { judgeOperating, type Operating, type UnknownKey } from '#shared/domain/alerts/operating.ts';
import type { Told } from './past-standing.ts';
import type { ActiveRule } from './watched.store.ts';

/** What would have been told of the portal itself, as far as the database knows how it was. */

const DAY_MS = 86_400_000;
const NOTHING: Operating = {
  unknownKeys: [],
  quarantined: [],
  configurations: [],
  emptyLogs: [],
  mails: { since: undefined, waiting: 0, givenUp: 0 },
  backupAt: Number.POSITIVE_INFINITY,
  backupFailure: undefined,
  disks: [],
};

export type ToldOfPortal = Told & { readonly subject: string };
type Find = (db: Database, rule: ActiveRule, kind: OperatorKind, now: number) => Promise<ToldOfPortal[]>;

/** @returns undefined: how it was is not known; from the rule's `validFrom` on else, in order of time */
export const findOfPortal = (
  db: Database,
  rule: ActiveRule,
  kind: OperatorKind,
  now: number,
): Promise<ToldOfPortal[] | undefined> => FINDERS[kind]?.(db, rule, kind, now) ?? Promise.resolve(undefined);

const FINDERS: Readonly<Partial<Record<OperatorKind, Find>>> = {
  'unknown-logger': findKeys,
  quarantine: findQuarantines,
};

/** Each when it came first. */
async function findKeys(
  db: Database,
  { settings, validFrom }: ActiveRule,
  kind: OperatorKind,
  now: number,
): Promise<ToldOfPortal[]> {
  const { rows } = await db.query<UnknownKey & { lastSeen: number }>(
    `select access_key as "accessKey", extract(epoch from first_seen_at)::float8 * 1000 as "firstSeen",
       extract(epoch from last_seen_at)::float8 * 1000 as "lastSeen", count::float8 as count
     from unknown_key where first_seen_at > $1 order by first_seen_at`,
    [new Date(validFrom)],
  );
  return rows.flatMap((key) => {
    const until = key.lastSeen + DAY_MS;
    const unknownKeys = [key];
    return judgeOperating(kind, { ...NOTHING, unknownKeys }, settings, key.firstSeen, NONE).map((found) => ({
      ...found,
      ...(until <= now && { until }),
    }));
  });
}

/** By what is kept of each logger: its last 100. */
async function findQuarantines(
  db: Database,
  { settings, validFrom }: ActiveRule,
  kind: OperatorKind,
  now: number,
): Promise<ToldOfPortal[]> {
  const { rows } = await db.query<{ time: number; loggerSerial: string }>(
    `select extract(epoch from received_at)::float8 * 1000 as time, logger_serial as "loggerSerial" from quarantine
     where received_at > $1 and received_at <= $2 order by received_at`,
    [new Date(validFrom - DAY_MS), new Date(now)],
  );
  // Another number of them: when one comes, and when it is a day ago.
  const changes = rows
    .flatMap(({ time, loggerSerial }) => [
      { time, loggerSerial, by: 1 },
      { time: time + DAY_MS, loggerSerial, by: -1 },
    ])
    .filter(({ time }) => time <= now)
    .sort((a, b) => a.time - b.time);
  const counts = new Map<string, number>();
  const told: ToldOfPortal[] = [];
  let open: ToldOfPortal | undefined;
  for (const { time, loggerSerial, by } of changes) {
    counts.set(loggerSerial, (counts.get(loggerSerial) ?? 0) + by);
    const quarantined = [...counts].map(([serial, count]) => ({ loggerSerial: serial, count }));
    const isOpen = open ? OPEN : NONE;
    const [found] = judgeOperating(kind, { ...NOTHING, quarantined }, settings, time, isOpen);
    if (open && !found) told.push({ ...open, until: time });
    open = found && (open ?? found);
  }
  return [...told, ...(open ? [open] : [])].filter(({ at }) => at > validFrom);
}

const NONE: ReadonlySet<string> = new Set();
const OPEN: ReadonlySet<string> = new Set(['']);
