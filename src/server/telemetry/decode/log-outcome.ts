import {
  dutchFindingText,
  englishFindingText,
  type FormatFinding,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { BadColumn, BadLine } from '#shared/domain/delivery-findings/format-texts.ts';

/** Counts of a log up to now, for the import's report and the writer's counters. */
export type LogStats = {
  /** Number of frames; in a wide CSV the number of rows; in a GPX the number of points with a time and a position. */
  frames: number;
  /** Number of values that are no CAN signals, such as positions of an .rxd file. */
  values: number;
  /** Number of frames from which a signal was decoded. */
  decodedFrames: number;
  /** Number of frames whose identifier is in no DBC of their bus. */
  unknownIds: number;
  remoteFrames: number;
  /** Number of error reports of the CAN controller itself. */
  errorFrames: number;
  /** Number of lines that cannot be read; in a GPX, of points without a usable time or position. */
  badLines: number;
  firstBad?: BadLine;
  /** Number of columns of a wide CSV that were left out, and the reason for the first one. */
  columnsLeftOut?: { readonly count: number; readonly first: BadColumn };
  /** Number of values left out because they are no finite number. */
  skippedValues: number;
  /** Number of frames left out because no reading may have their time: before 2015 or in the future. */
  refusedTimes: number;
  readings: number;
  /** Number of rows of an LMB CSV whose time has no zone; such a time is read as Europe/Amsterdam. */
  localTimes?: number;
};

export const newLogStats = (): LogStats => ({
  frames: 0,
  values: 0,
  decodedFrames: 0,
  unknownIds: 0,
  remoteFrames: 0,
  errorFrames: 0,
  badLines: 0,
  skippedValues: 0,
  refusedTimes: 0,
  readings: 0,
});

/** Counts a bad line. @param line 1-based number @param seen called only for the first bad line */
export function countBadLine(stats: LogStats, line: number, seen: () => Omit<BadLine, 'line'>): void {
  stats.badLines += 1;
  stats.firstBad ??= { line, ...seen() };
}

const MAX_SHOWN_CHARACTERS = 80;

/** Returns the beginning of a line for display: at most 80 characters, all printable. */
export function printableLineStart(line: string | Uint8Array): string {
  // A character takes four bytes at most.
  const text =
    typeof line === 'string' ? line : new TextDecoder().decode(line.subarray(0, 4 * MAX_SHOWN_CHARACTERS));
  const shown = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\uFFFD').trim();
  const characters = [...shown];
  return characters.length > MAX_SHOWN_CHARACTERS
    ? `${characters.slice(0, MAX_SHOWN_CHARACTERS - 1).join('')}…`
    : shown;
}

/** Returns a finding if frames or values have a time that no reading may have, otherwise undefined. */
export const impossibleTimesFinding = ({
  refusedTimes,
  frames,
  values,
}: LogStats): FormatFinding | undefined =>
  refusedTimes === 0 ? undefined : { kind: 'impossible-times', count: refusedTimes, of: frames + values };

/** The kinds of findings that only count parts of a file. */
type CountedPart =
  | Extract<FormatFinding, { kind: `damaged-${string}` }>['kind']
  | 'impossible-values'
  | 'skipped-pre-buffers'
  | 'unknown-records'
  | 'unread-lin-messages';

/** Returns a list with the finding that `count` parts of a file were left out; an empty list if `count` is 0. */
export const skippedPartFinding = (kind: CountedPart, count: number): FormatFinding[] =>
  count === 0 ? [] : [{ kind, count }];

/**
 * Lists the elements of a log that were left out, except for impossible times: their number by reason, and the first bad line
 * (docs/log-files.md).
 * @param remarks remarks of the format's reader
 */
export function summarizeSkippedParts(stats: LogStats, remarks: readonly FormatFinding[]): FormatFinding[] {
  const { badLines, firstBad: first, columnsLeftOut, skippedValues, refusedTimes, frames, values } = stats;
  const left = badLines + refusedTimes;
  return [
    ...(stats.readings > 0 && 2 * left > frames + values + badLines
      ? [{ kind: 'mostly-unusable' } as const]
      : []),
    ...(first ? [{ kind: 'bad-lines', count: badLines, first } as const] : []),
    ...(columnsLeftOut ? [{ kind: 'columns-left-out', ...columnsLeftOut } as const] : []),
    ...skippedPartFinding('impossible-values', skippedValues),
    ...remarks,
  ];
}

/**
 * Why a log, or the rest of it, cannot be read.
 * - needs start: its clock counts from power-on and the start is unknown
 * - truncated: the gzip file or the GPX ends too early, and the readings before the end were returned; or the description of the data
 *   in an MF4 or .rxd is incomplete
 * - corrupt: the gzip file or the GPX is damaged, and the readings before the damage were returned; or the blocks of an MF4 are not in
 *   order; or the readings are of too many weeks
 * - too large: more text, or more data in memory, than allowed
 * - too long: decoding takes longer than allowed; the readings so far were returned
 * - header: the CSV has no usable first row, or the file is no GPX, BLF or MF4
 * - no zone: the times of the CSV have no zone
 * - coarse times: the times of the CSV have no seconds, so rows would be lost
 * - no times: no point of the GPX, or no line of terminal output of candump, has a time
 * - no definition: a CSV of CAN frames (GVRET, python-can) without a DBC to decode them
 * - no lines: none of its lines can be read
 * - encrypted: its logger encrypted it, or compressed it in a proprietary format
 * - no rxd: an .rxd file without its configuration
 * - no frames: the MF4 has decoded signals and no CAN frames
 */
type LogErrorKind =
  | 'needs start'
  | 'truncated'
  | 'corrupt'
  | 'too large'
  | 'too long'
  | 'header'
  | 'no zone'
  | 'coarse times'
  | 'no times'
  | 'no definition'
  | 'no lines'
  | 'encrypted'
  | 'no rxd'
  | 'no frames';

/** An error about a log. The message is Dutch, for people; the command line prints `englishFindingText`. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: LogErrorKind;
  readonly finding: FormatFinding;

  constructor(kind: LogErrorKind, finding: FormatFinding, options?: ErrorOptions) {
    super(dutchFindingText(finding), options);
    this.kind = kind;
    this.finding = finding;
  }

  get english(): string {
    return englishFindingText(this.finding);
  }
}

/** Returns the error of a log without a readable line; undefined for any other log, including an empty one. */
export const noReadableLineError = ({
  firstBad,
  frames,
  remoteFrames,
  errorFrames,
}: LogStats): LogError | undefined =>
  firstBad === undefined || frames + remoteFrames + errorFrames > 0
    ? undefined
    : new LogError('no lines', { kind: 'no-readable-line', ...firstBad });
