/**
 * Kinds of files by their names (docs/log-files.md). 'status': Status.json of a ReXgen, device.json of a CANedge. 'configuration':
 * configuration and schema files of a CANedge. 'encrypted': .rxe of a ReXgen, .mfe and .mfm of a CANedge, and also its .mfc, which
 * is compressed in a proprietary format.
 */
type FileFormat =
  | 'snapshot'
  | 'status'
  | 'configuration'
  | LogFormat
  | 'encrypted'
  | 'compressed rxd'
  | 'other';
/** A recorded log of CAN frames. 'candump' is output of candump -L, or of candump on a terminal. */
type FrameFormat = 'candump' | 'rxd' | 'mf4' | 'asc' | 'blf' | 'trc';
/** A recorded log that can be decoded. 'csv' is a wide CSV, an LMB CSV, GVRET or python-can, according to its first row. */
export type LogFormat = FrameFormat | 'csv' | 'gpx';

const LOG_FORMATS: Readonly<Record<LogFormat, RegExp>> = {
  candump: /\.(?:log|candump|txt)(?:\.gz)?$/i,
  rxd: /\.rxd$/i,
  mf4: /\.(?:mf4|mdf)(?:\.gz)?$/i,
  asc: /\.asc(?:\.gz)?$/i,
  blf: /\.blf(?:\.gz)?$/i,
  trc: /\.trc(?:\.gz)?$/i,
  csv: /\.csv(?:\.gz)?$/i,
  gpx: /\.gpx(?:\.gz)?$/i,
};
const ENCRYPTED = /\.(?:rxe|mf[cem])(?:\.gz)?$/i;
/** Pattern of the name of a compressed .rxd, whose secrets could not be blanked. No logger compresses an .rxd. */
const COMPRESSED_RXD = /\.rxd\.gz$/i;

/** Returns the format of a file by its name. @param name with or without folders */
export function formatOf(name: string): FileFormat {
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (/\.json$/i.test(base)) {
    if (/snapshot/i.test(base)) return 'snapshot';
    if (/^(?:status|device)\.json$/i.test(base)) return 'status';
    return /^(?:config|schema|uischema)/i.test(base) ? 'configuration' : 'other';
  }
  if (ENCRYPTED.test(base)) return 'encrypted';
  if (COMPRESSED_RXD.test(base)) return 'compressed rxd';
  const formats = Object.keys(LOG_FORMATS) as LogFormat[];
  return formats.find((format) => LOG_FORMATS[format].test(base)) ?? 'other';
}

export const isLogFormat = (format: FileFormat): format is LogFormat => Object.hasOwn(LOG_FORMATS, format);

/** Returns whether a log consists of lines of text. */
export const isTextFormat = (format: LogFormat): boolean =>
  format === 'candump' || format === 'csv' || format === 'asc' || format === 'trc';

/** Returns whether a log consists only of CAN frames, which cannot be decoded without a data definition. */
export const isFrameFormat = (format: LogFormat): format is FrameFormat =>
  format !== 'csv' && format !== 'gpx';

/**
 * Returns the start of a log in milliseconds since 1970: the last `yyyyMMdd_HHmmss` in its file name that is a date. The vendor's
 * own reader assumes no zone. The loggers' clocks run in UTC, so the time is read as UTC.
 */
export function parseLogStartMs(name: string): number | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return [...base.matchAll(/(?<!\d)(\d{8})_(\d{6})(?!\d)/g)]
    .map(([, date = '', time = '']) => utc(date, time))
    .findLast((start) => start !== undefined);
}

/**
 * Returns the serial number of the ReXgen that recorded a log, according to the file name (`{name}_{serial}_{yyyyMMdd}_{HHmmss}`);
 * undefined when the name contains none.
 */
export const serialFromFileName = (name: string): string | undefined =>
  /_(\d{7})_\d{8}_\d{6}(?!\d)/.exec(name.slice(name.lastIndexOf('/') + 1))?.[1];

function utc(date: string, time: string): number | undefined {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`;
  const iso = `${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}.000Z`;
  const start = Date.parse(iso);
  // Date.parse turns 30 February into 1 March, so an impossible date changes.
  return Number.isFinite(start) && new Date(start).toISOString() === iso ? start : undefined;
}
