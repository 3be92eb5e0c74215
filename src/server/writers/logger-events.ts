import type { Database } from '#server/platform/database.ts';
import type { LoggerEvent } from '#shared/contract/writers.ts';
import {
  type DeliveryFinding,
  dutchFindingsText,
  NOT_DECODED_FINDING,
} from '#shared/domain/delivery-findings/delivery-findings.ts';

const SHOWN = 50;
/**
 * Maximum number of events about unread files that are shown: a logger may send any number of names, and other events must stay
 * visible.
 */
const UNREAD_SHOWN = 10;

/**
 * Returns the events of a logger since it was bound, newest first: from the rows of its binding, keys, configurations and files, and
 * from logger_event, which a trigger on its health fills (sql/note-logger-events.sql). Leaves out events of an earlier binding, which
 * may belong to another organization. Unread files whose names differ only in their digits give one event per hour.
 */
export async function loggerEvents(
  db: Database,
  writer: { readonly id: number; readonly loggerSerial: string; readonly boundAt: Date },
): Promise<LoggerEvent[]> {
  const { rows } = await db.query<Omit<LoggerEvent, 'at'> & { at: Date; findings: DeliveryFinding[] | null }>(
    `select at, kind, detail, findings from (
       select created_at as at, 'bound' as kind, logger_serial as detail, null::jsonb as findings from writer where id = $1
       union all
       select unnest(array[created_at, first_used_at, retired_at]), unnest(array['key-made', 'key-used', 'key-ended']),
         access_key, null from writer_key where writer_id = $1
       union all
       select unnest(array[created_at, downloaded_at]), unnest(array['config-made', 'config-downloaded']), '', null
       from logger_config where writer_id = $1
       union all
       select at, kind, detail, case kind when 'error' then detail::jsonb end from logger_event where writer_id = $1
       union all
       select log_stored_at, 'log-file', regexp_replace(key, '^.*/', ''), outcome from object
       where logger_serial = $2 and log_stored_at >= $3 and outcome <> $5::jsonb
       union all
       (select max(at), 'unread-file', (array_agg(name order by at desc))[1], null from (
          select modified_at as at, regexp_replace(key, '^.*/', '') as name from object
          where logger_serial = $2 and modified_at >= $3 and outcome = $5::jsonb
        ) as unread
        group by regexp_replace(name, '[0-9]+', '#', 'g'), date_trunc('hour', at) order by 1 desc limit $6)
     ) as happened where at is not null order by at desc limit $4`,
    [
      writer.id,
      writer.loggerSerial,
      writer.boundAt,
      SHOWN,
      JSON.stringify([NOT_DECODED_FINDING]),
      UNREAD_SHOWN,
    ],
  );
  return rows.map(({ at, kind, detail, findings }) => ({
    at: at.toISOString(),
    kind,
    detail:
      findings === null
        ? detail
        : kind === 'error'
          ? dutchFindingsText(findings)
          : `${detail}: ${dutchFindingsText(findings)}`,
  }));
}
