/** A text in Dutch, for screens, and in English, for the command line. */
export type BilingualText = { readonly nl: string; readonly en: string };

/** Returns a text with the number of parts of a file that were left out; an empty list for none. */
export const countTexts = (value: number, one: string, more: string, english: string): BilingualText[] =>
  value === 0 ? [] : [{ nl: count(value, one, more), en: `${value} ${english}` }];

/** Counts of a log so far, for the import's report and the writer's counters. */
export type LogStats = {
  /** Number of frames; of rows in a wide CSV; of points with a time and a position in a GPX. */
  frames: number;
  /** Number of values that are no CAN signals, such as positions of an .rxd file. */
  values: number;
  /** Number of frames from which a signal was decoded. */
  decodedFrames: number;
  /** Number of frames whose identifier is in no DBC of their bus. */
  unknownIds: number;
  remoteFrames: number;
  /** Error reports of the CAN controller itself. */
  errorFrames: number;
  /** Lines that cannot be read; in a GPX, points without a usable time or position. */
  badLines: number;
  /** 1-based. */
  firstBadLine?: number;
  firstBad?: BadLine;
  /** Number of columns of a wide CSV that were left out, and the reason for the first one. */
  columnsLeftOut?: { readonly count: number; readonly first: BilingualText };
  /** Values left out because they are no finite number. */
  skippedValues: number;
  /** Frames left out because no reading may have their time: before 2015 or in the future. */
  refusedTimes: number;
  readings: number;
  /** Rows of an LMB CSV whose time has no zone, read as Europe/Amsterdam. */
  localTimes?: number;
};

export const noStats = (): LogStats => ({
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

/** A line that cannot be read, and an example of a valid line. */
export type BadLine = { readonly text: string; readonly expected: BilingualText };

/** @param seen called only for the first bad line */
export function countBadLine(stats: LogStats, line: number, seen: () => BadLine): void {
  stats.badLines += 1;
  stats.firstBadLine ??= line;
  stats.firstBad ??= seen();
}

const MOST_SHOWN = 80;

/** Returns the beginning of a line for display: at most 80 characters, all printable. */
export function beginningOf(line: string | Uint8Array): string {
  // A character takes four bytes at most.
  const text = typeof line === 'string' ? line : new TextDecoder().decode(line.subarray(0, 4 * MOST_SHOWN));
  const shown = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\uFFFD').trim();
  const characters = [...shown];
  return characters.length > MOST_SHOWN ? `${characters.slice(0, MOST_SHOWN - 1).join('')}…` : shown;
}

/**
 * Describes the first line that cannot be read, its beginning, and the expected form; undefined when all lines were
 * read.
 */
export function badLineText({ firstBadLine, firstBad }: LogStats): BilingualText | undefined {
  if (firstBadLine === undefined || firstBad === undefined) return undefined;
  const { text, expected } = firstBad;
  return {
    nl: `regel ${firstBadLine} is ‘${text}’; verwacht wordt ${expected.nl}`,
    en: `line ${firstBadLine} is "${text}"; expected is ${expected.en}`,
  };
}

const count = (value: number, one: string, more: string): string => `${value} ${value === 1 ? one : more}`;

/** Describes how many frames or values have a time that no reading may have; undefined for none. */
export function refusedTimesText({ refusedTimes, frames, values }: LogStats): BilingualText | undefined {
  if (refusedTimes === 0) return undefined;
  const all = frames + values;
  return {
    nl: `${refusedTimes} van de ${all} hebben een onmogelijke tijd (voor 2015 of in de toekomst)`,
    en: `${refusedTimes} of ${all} have an impossible time (before 2015 or in the future)`,
  };
}

/**
 * Lists the elements of a log that were left out, except for impossible times: their number by reason, and the first
 * line (docs/log-files.md).
 * @param remarks remarks of the format's reader
 */
export function leftOutOf(stats: LogStats, remarks: readonly BilingualText[]): BilingualText[] {
  const { badLines, columnsLeftOut: columns, skippedValues, refusedTimes, frames, values } = stats;
  const bad = badLineText(stats);
  const left = badLines + refusedTimes;
  return [
    ...(stats.readings > 0 && 2 * left > frames + values + badLines
      ? [
          {
            nl: 'let op: meer dan de helft van het bestand is niet te gebruiken',
            en: 'WARNING: more than half of the file cannot be used',
          },
        ]
      : []),
    ...(bad
      ? [
          {
            nl: `${count(badLines, 'regel is', 'regels zijn')} niet gelezen: ${bad.nl}`,
            en: `${count(badLines, 'line was', 'lines were')} not read: ${bad.en}`,
          },
        ]
      : []),
    ...(columns
      ? [
          {
            nl: `${count(columns.count, 'kolom is', 'kolommen zijn')} weggelaten: ${columns.first.nl}`,
            en: `${count(columns.count, 'column is', 'columns are')} left out: ${columns.first.en}`,
          },
        ]
      : []),
    ...(skippedValues > 0
      ? [
          {
            nl: `${count(skippedValues, 'waarde is', 'waarden zijn')} onmogelijk en weggelaten`,
            en: `${count(skippedValues, 'value is', 'values are')} impossible and left out`,
          },
        ]
      : []),
    ...remarks,
  ];
}

/**
 * Why a log, or the rest of it, cannot be read.
 * - needs start: its clock counts from power-on and the start is unknown
 * - truncated: the gzip file or the GPX ends too early; the readings before the end were delivered
 * - corrupt: the gzip file or the GPX is damaged; the readings before the damage were delivered
 * - too large: more text than allowed
 * - too long: decoding takes longer than allowed; the readings so far were delivered
 * - header: the CSV has no usable first row, or the file is no GPX
 * - no zone: the times of the CSV have no zone
 * - coarse times: the times of the CSV have no seconds, so rows would be lost
 * - no times: no point of the GPX, or no line of terminal output of candump, has a time
 * - no definition: a GVRET CSV without a DBC to decode its frames
 * - no lines: none of its lines can be read
 * - encrypted: its logger encrypted it
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

/** An error about a log. The message is Dutch, for people; the command line prints `english`. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: LogErrorKind;
  readonly english: string;

  constructor(kind: LogErrorKind, { nl, en }: BilingualText, options?: ErrorOptions) {
    super(nl, options);
    this.kind = kind;
    this.english = en;
  }
}

/** Returns the error of a log without a readable line; undefined for any other log, including an empty one. */
export function noLines(stats: LogStats): LogError | undefined {
  const words = badLineText(stats);
  if (words === undefined || stats.frames + stats.remoteFrames + stats.errorFrames > 0) return undefined;
  return new LogError('no lines', {
    nl: `Het logbestand heeft geen enkele leesbare regel: ${words.nl}.`,
    en: `The log has no line that can be read: ${words.en}.`,
  });
}
