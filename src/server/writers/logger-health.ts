import type { Database } from '#server/platform/database.ts';
import type { LoggerStatus } from '#server/telemetry/decode/status.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { formerLoggers } from './former-loggers.ts';
import { loggerEvents } from './logger-events.ts';
import { reportedStatus } from './logger-status.ts';
import { quarantineOf } from './quarantine-list.ts';
import { reportsTooSeldom } from './reporting-interval.ts';

/** Facts from the database on the logger that is bound to a stream. */
export type HealthFacts = Omit<
  LoggerHealth,
  'network' | 'missing' | 'missingSteps' | 'quotaNotices' | 'config'
> & { readonly config: Omit<LoggerHealth['config'], 'oldAddress'> };

type Row = {
  id: number;
  logger_serial: string;
  kind: LoggerKind;
  definition_id: number | null;
  created_at: Date;
  last_seen_at: Date | null;
  last_error: string | null;
  last_error_at: Date | null;
  refusal: string | null;
  refused_at: Date | null;
  counters: Record<string, number> | null;
  status: LoggerStatus | null;
  status_at: Date | null;
  running_guid: string | null;
  guid_since: Date | null;
  guid: string | null;
  config_at: Date | null;
  downloaded_at: Date | null;
  outdated: boolean;
  replace_by: Date | null;
};

const NONE: Omit<HealthFacts, 'formerLoggers'> = {
  loggerId: '',
  kind: 'rexgen',
  plannedLogger: '',
  lastUpload: null,
  lastError: null,
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
  const runs = row.guid !== null && row.running_guid === row.guid;
  return {
    loggerId: row.logger_serial,
    kind: row.kind,
    plannedLogger: '',
    formerLoggers: former,
    lastUpload: iso(row.last_seen_at),
    lastError: row.last_error,
    lastErrorAt: iso(row.last_error_at),
    lastRefusal: row.refusal,
    lastRefusedAt: iso(row.refused_at),
    counters: row.counters ?? {},
    quarantine: await quarantineOf(db, row.logger_serial, row.created_at),
    status: row.status && row.status_at && reportedStatus(row.status, row.status_at),
    events: await loggerEvents(db, {
      id: row.id,
      loggerSerial: row.logger_serial,
      boundAt: row.created_at,
    }),
    intervalTooLong: await reportsTooSeldom(db, streamId, row.created_at, now),
    replaceKeyBy: iso(row.replace_by),
    config: {
      createdAt: iso(row.config_at),
      downloadedAt: iso(row.downloaded_at),
      runningSince: runs ? iso(row.guid_since) : null,
      runsAnother: row.guid !== null && row.running_guid !== null && !runs,
      outdated: row.guid !== null && row.outdated,
    },
    chain: { writer: true, config: row.guid !== null },
  };
}

/** Returns the planned logger of a machine whose creation stopped after its record. A machine that lost its logger has none. */
async function plannedLogger(db: Database, streamId: number): Promise<string> {
  const { rows } = await db.query<{ logger: string | null }>(
    `select planned_logger as logger from machine
     where stream_id = $1 and not exists (select from writer where stream_id = $1)`,
    [streamId],
  );
  return rows[0]?.logger ?? '';
}
