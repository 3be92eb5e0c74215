import type { Database } from '#server/platform/database.ts';
import type { LoggerEvent } from '#shared/contract/writers.ts';

const SHOWN = 50;

/**
 * What happened to a logger since it was bound, newest first: from what is stored anyway, and from what its health noted
 * (sql/note-logger-events.sql). Of an earlier binding nothing: that may have been another organization's.
 */
export async function loggerEvents(
  db: Database,
  writer: { readonly id: number; readonly loggerSerial: string; readonly boundAt: Date },
): Promise<LoggerEvent[]> {
  const { rows } = await db.query<Omit<LoggerEvent, 'at'> & { at: Date }>(
    `select at, kind, detail from (
       select created_at as at, 'bound' as kind, logger_serial as detail from writer where id = $1
       union all
       select unnest(array[created_at, first_used_at, retired_at]), unnest(array['key-made', 'key-used', 'key-ended']),
         access_key from writer_key where writer_id = $1
       union all
       select unnest(array[created_at, downloaded_at]), unnest(array['config-made', 'config-downloaded']), ''
       from logger_config where writer_id = $1
       union all
       select at, kind, detail from logger_event where writer_id = $1
       union all
       select log_stored_at, 'log-file', regexp_replace(key, '^.*/', '') || ': ' || outcome from object
       where logger_serial = $2 and log_stored_at >= $3
     ) as happened where at is not null order by at desc limit $4`,
    [writer.id, writer.loggerSerial, writer.boundAt, SHOWN],
  );
  return rows.map(({ at, ...event }) => ({ at: at.toISOString(), ...event }));
}
