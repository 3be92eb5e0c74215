/** What a logger's file is, by its name (docs/design.md section 7). */
type FileFormat = 'snapshot' | 'status' | LogFormat | 'undecoded' | 'other';
/** A recorded log that we can decode; 'csv' is wide CSV or GVRET's, which its first row tells. */
export type LogFormat = 'candump' | 'csv' | 'gpx';

const CANDUMP = /\.(?:log|candump|txt)(?:\.gz)?$/i;
const CSV = /\.csv(?:\.gz)?$/i;
const GPX = /\.gpx(?:\.gz)?$/i;
/** Recorded logs without a decoder: ReXgen (.rxe: encrypted), ASAM MDF, Vector, PEAK. */
const UNDECODED = /\.(?:rx[de]|mf4|mdf|blf|asc|trc)(?:\.gz)?$/i;

/** The outcome of a stored file of a kind that the portal does not read. */
export const NOT_DECODED = 'niet gedecodeerd';

/** @param name a file's name; folders before it do not matter */
export function formatOf(name: string): FileFormat {
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (/\.json$/i.test(base)) {
    if (/snapshot/i.test(base)) return 'snapshot';
    return /^status\.json$/i.test(base) ? 'status' : 'other';
  }
  if (CANDUMP.test(base)) return 'candump';
  if (CSV.test(base)) return 'csv';
  if (GPX.test(base)) return 'gpx';
  return UNDECODED.test(base) ? 'undecoded' : 'other';
}

export const isLogFormat = (format: FileFormat): format is LogFormat =>
  format === 'candump' || format === 'csv' || format === 'gpx';

/**
 * When a log began: the last `yyyyMMdd_HHmmss` in its file name that is a date, in milliseconds. The vendor's
 * own reader knows no zone there; the loggers' clocks run in UTC, so it is read as UTC.
 */
export function startFromFileName(name: string): number | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return [...base.matchAll(/(?<!\d)(\d{8})_(\d{6})(?!\d)/g)]
    .map(([, date = '', time = '']) => utc(date, time))
    .findLast((start) => start !== undefined);
}

function utc(date: string, time: string): number | undefined {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`;
  const iso = `${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}.000Z`;
  const start = Date.parse(iso);
  // Date.parse makes 1 March of 30 February: such a date is no date.
  return Number.isFinite(start) && new Date(start).toISOString() === iso ? start : undefined;
}
