import type { Database } from '#server/platform/database.ts';
import type { BusReport, EarlierSources, MessageSender } from './decode/j1939/bus-report.ts';

/**
 * Maximum number of senders of known messages on a bus. A bus with more is faulty or under attack; the senders with the fewest
 * frames are left out.
 */
const MAX_SENDERS = 500;

/** Returns a report in the form that is stored with its log file; null when the definition has no J1939. */
export function busReportToJson(report: BusReport | undefined): string | null {
  if (report === undefined) return null;
  const senders = report.senders.filter(({ frames }) => frames > 0);
  const most = senders.toSorted((a, b) => b.frames - a.frames).slice(0, MAX_SENDERS);
  return JSON.stringify({ ...report, senders: most });
}

/** Maximum number of reports that are read: log files are kept for 30 days, and most loggers send one file per hour. */
const MAX_REPORTS = 1_000;

/** Number of newest log files from which senders are read. The custom signals of a message with several senders get a name per sender. */
const SENDERS_OF_FILES = 50;

/** Returns J1939 sources in the newest stored log files of a logger. */
export async function readEarlierSources(db: Database, loggerSerial: string): Promise<EarlierSources> {
  const { rows } = await db.query<{ senders: MessageSender[]; held: EarlierSources['held'] }>(
    `select bus_report->'senders' as senders, bus_report->'held' as held from object
     where logger_serial = $1 and bus_report is not null order by log_stored_at desc limit $2`,
    [loggerSerial, MAX_REPORTS],
  );
  const senders = new Map(
    rows
      .slice(0, SENDERS_OF_FILES)
      .flatMap((row) =>
        row.senders.map(({ bus, message, source }) => [
          `${bus} ${message} ${source}`,
          { bus, message, source },
        ]),
      ),
  );
  return { senders: [...senders.values()], held: rows.flatMap(({ held }) => held) };
}

/** Returns the reports of the log files that loggers sent while they were bound to the stream, newest first. */
export async function readLogFileBusReports(db: Database, streamId: number): Promise<BusReport[]> {
  const { rows } = await db.query<{ report: BusReport }>(
    `select o.bus_report as report from object o, (
       select logger_serial, stream_id, created_at,
         lead(created_at, 1, 'infinity') over (partition by logger_serial order by created_at, id) as until
       from writer where logger_serial in (select logger_serial from writer where stream_id = $1)
     ) as w
     where w.stream_id = $1 and o.logger_serial = w.logger_serial and o.bus_report is not null
       and o.modified_at >= w.created_at and o.modified_at < w.until
     order by o.log_stored_at desc limit $2`,
    [streamId, MAX_REPORTS],
  );
  return rows.map(({ report }) => report);
}
