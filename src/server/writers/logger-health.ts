import type { Database } from '#server/platform/database.ts';
import type { LoggerStatus } from '#server/telemetry/decode/status.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import {
  type DeliveryFinding,
  dutchFindingsText,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { formerLoggers } from './former-loggers.ts';
import { loggerEvents } from './logger-events.ts';
import { reportedStatus } from './logger-status.ts';
import { listQuarantineOf } from './quarantine-list.ts';
import { isReportingTooSeldom } from './reporting-interval.ts';

/** Facts from the database about the logger that is bound to a stream. */
export type HealthFacts = Omit<
  LoggerHealth,
  'network' | 'missing' | 'missingSteps' | 'quotaNotices' | 'config'
> & { readonly config: Omit<LoggerHealth['config'], 'oldAddress'> };

type Row = {
  id: number;
  loggerSerial: string;
  kind: LoggerKind;
  definitionId: number | null;
  createdAt: Date;
  lastSeenAt: Date | null;
  lastError: DeliveryFinding[] | null;
  lastErrorAt: Date | null;
  refusal: string | null;
  refusedAt: Date | null;
  counters: Record<string, number> | null;
  status: LoggerStatus | null;
  statusAt: Date | null;
  runningGuid: string | null;
  guidSince: Date | null;
  guid: string | null;
  configAt: Date | null;
  downloadedAt: Date | null;
  outdated: boolean;
  replaceBy: Date | null;
};

const NONE: Omit<HealthFacts, 'formerLoggers'> = {
  loggerId: '',
  kind: 'rexgen',
  plannedLogger: '',
  lastUpload: null,
  lastError: null,
  lastErrorFindings: [],
  lastErrorAt: null,
  lastRefusal: null,
  lastRefusedAt: null,
  counters: {},
  quarantine: [],
  status: null,
  events: [],
  intervalTooLong: false,
  replaceKeyBy: null,
  config: { createdAt: null, downloadedAt: null, runningSince: null, runsAnother: false, outdated: false },
  chain: { writer: false, config: false },
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Returns the facts of a stream's present binding; all are empty if no logger is bound. */
export async function healthFacts(db: Database, streamId: number, now: Date): Promise<HealthFacts> {
  const { rows } = await db.query<Row>(
    `select w.id, w.logger_serial, w.kind, w.definition_id, w.created_at, h.last_seen_at, h.last_error, h.last_error_at, h.refusal, h.refused_at, h.counters,
       h.status, h.status_at, h.status ->> 'configGuid' as running_guid, h.guid_since, c.guid, c.created_at as config_at, c.downloaded_at,
       coalesce(c.access_key <> k.access_key, true) or w.kind = 'rexgen' and (
         c.definition_id is distinct from w.definition_id or coalesce(c.created_at < n.updated_at, false)
       ) as outdated,
       (select min(replace_by) from writer_key where writer_id = w.id and retired_at is null) as replace_by
     from writer w
     left join writer_health h on h.writer_id = w.id
     left join lateral (select * from logger_config where writer_id = w.id order by id desc limit 1) as c on true
     left join lateral (
       select access_key from writer_key where writer_id = w.id and retired_at is null and replace_by is null
       order by created_at desc limit 1
     ) as k on true
     left join logger_network n on n.stream_id = w.stream_id
     where w.stream_id = $1 and w.valid_to = 'infinity'`,
    [streamId],
  );
  const row = rows[0];
  const former = await formerLoggers(db, streamId, now);
  if (!row) return { ...NONE, plannedLogger: await plannedLogger(db, streamId), formerLoggers: former };
  const runs = row.guid !== null && row.runningGuid === row.guid;
  return {
    loggerId: row.loggerSerial,
    kind: row.kind,
    plannedLogger: '',
    formerLoggers: former,
    lastUpload: iso(row.lastSeenAt),
    lastError: row.lastError && dutchFindingsText(row.lastError),
    lastErrorFindings: row.lastError ?? [],
    lastErrorAt: iso(row.lastErrorAt),
    lastRefusal: row.refusal,
    lastRefusedAt: iso(row.refusedAt),
    counters: row.counters ?? {},
    quarantine: await listQuarantineOf(db, row.loggerSerial, row.createdAt),
    status: row.status && row.statusAt && reportedStatus(row.status, row.statusAt),
    events: await loggerEvents(db, {
      id: row.id,
      loggerSerial: row.loggerSerial,
      boundAt: row.createdAt,
    }),
    intervalTooLong: await isReportingTooSeldom(db, streamId, row.createdAt, now),
    replaceKeyBy: iso(row.replaceBy),
    config: {
      createdAt: iso(row.configAt),
      downloadedAt: iso(row.downloadedAt),
      runningSince: runs ? iso(row.guidSince) : null,
      runsAnother: row.guid !== null && row.runningGuid !== null && !runs,
      outdated: row.guid !== null && row.outdated,
    },
    chain: { writer: true, config: row.guid !== null },
  };
}

/**
 * Returns the logger that a person entered for a new machine, if the creation stopped before the logger was bound; '' if there is none. A
 * machine that lost its logger has no planned logger.
 */
async function plannedLogger(db: Database, streamId: number): Promise<string> {
  const { rows } = await db.query<{ logger: string | null }>(
    `select planned_logger as logger from machine
     where stream_id = $1 and not exists (select from writer where stream_id = $1)`,
    [streamId],
  );
  return rows[0]?.logger ?? '';
}
