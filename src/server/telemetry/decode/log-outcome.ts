/** A text in the language of the screens and in that of the command line. */
export type Said = { readonly nl: string; readonly en: string };

/** Returns how many parts of a file were left out, in words; nothing for none. */
export const countInWords = (value: number, one: string, more: string, english: string): Said[] =>
  value === 0 ? [] : [{ nl: count(value, one, more), en: `${value} ${english}` }];

/** What became of a log so far: for the import's report and the writer's counters. */
export type LogStats = {
  /** Frames of the bus; of a wide CSV, rows; of a GPX, points with a time and a position. */
  frames: number;
  /** Values that are no CAN signals, such as positions of an .rxd file. */
  values: number;
  /** How many frames something was decoded from. */
  decodedFrames: number;
  /** Frames whose identifier is in no DBC of their bus. */
  unknownIds: number;
  remoteFrames: number;
  /** The CAN controller's own error reports. */
  errorFrames: number;
  /** Lines that cannot be read; of a GPX, points without a usable time or position. */
  badLines: number;
  /** 1-based. */
  firstBadLine?: number;
  firstBad?: BadLine;
  /** Columns of a wide CSV that were left out, and why the first one was. */
  columnsLeftOut?: { readonly count: number; readonly first: Said };
  /** Values left out because they are no finite number. */
  skippedValues: number;
  /** Frames left out because no reading may have their time: before 2015 or ahead of now. */
  refusedTimes: number;
  readings: number;
  /** Rows of an LMB CSV without a zone, read as Europe/Amsterdam. */
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

/** A line that cannot be read, and what a line of its kind is like. */
export type BadLine = { readonly text: string; readonly expected: Said };

/** @param seen is asked of the first one only */
export function countBadLine(stats: LogStats, line: number, seen: () => BadLine): void {
  stats.badLines += 1;
  stats.firstBadLine ??= line;
  stats.firstBad ??= seen();
}

const MOST_SHOWN = 80;

/** Returns the beginning of a line as one can show it: at most 80 characters, none that a screen cannot show. */
export function beginningOf(line: string | Uint8Array): string {
  // A character has four bytes at most.
  const text = typeof line === 'string' ? line : new TextDecoder().decode(line.subarray(0, 4 * MOST_SHOWN));
  const shown = text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\uFFFD').trim();
  const characters = [...shown];
  return characters.length > MOST_SHOWN ? `${characters.slice(0, MOST_SHOWN - 1).join('')}…` : shown;
}

/** Says which line is the first that cannot be read, how it begins, and what is expected; undefined where all can be read. */
export function badLineWords({ firstBadLine, firstBad }: LogStats): Said | undefined {
  if (firstBadLine === undefined || firstBad === undefined) return undefined;
  const { text, expected } = firstBad;
  return {
    nl: `regel ${firstBadLine} is ‘${text}’; verwacht wordt ${expected.nl}`,
    en: `line ${firstBadLine} is "${text}"; expected is ${expected.en}`,
  };
}

const count = (value: number, one: string, more: string): string => `${value} ${value === 1 ? one : more}`;

/** Says how many frames or values have a time that no reading may have; undefined: none. */
export function refusedTimesWords({ refusedTimes, frames, values }: LogStats): Said | undefined {
  if (refusedTimes === 0) return undefined;
  const all = frames + values;
  return {
    nl: `${refusedTimes} van de ${all} hebben een onmogelijke tijd (voor 2015 of in de toekomst)`,
    en: `${refusedTimes} of ${all} have an impossible time (before 2015 or in the future)`,
  };
}

/**
 * Lists the elements of a log that were left out, but for impossible times: their number by reason, and the first line
 * (docs/log-files.md).
 * @param remarks what the reader of the format says
 */
export function leftOutOf(stats: LogStats, remarks: readonly Said[]): Said[] {
  const { badLines, columnsLeftOut: columns, skippedValues, refusedTimes, frames, values } = stats;
  const bad = badLineWords(stats);
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
 * Why a log cannot be read (further).
 * - needs start: its clock counts from power-on and nothing says when that was
 * - truncated: the gzip file or the GPX ends too early; what came before was delivered
 * - corrupt: the gzip file or the GPX is damaged; what came before was delivered
 * - too large: more text than allowed
 * - too long: decoding takes longer than allowed; what came before was delivered
 * - header: the CSV has no usable first row, or the GPX is none
 * - no zone: the times of the CSV do not say their zone
 * - coarse times: the times of the CSV have no seconds, so that rows would be lost
 * - no times: no point of the GPX, or no line of what candump shows, has a time
 * - no definition: a GVRET CSV, and no DBC to read its frames by
 * - no lines: none of its lines can be read
 * - encrypted: its logger encrypted it
 * - no rxd: an .rxd file without the configuration that it begins with
 * - no frames: the MF4 has signals that were decoded already, and no CAN frames
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

/** The message is Dutch, for people; the command line says `english`. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: LogErrorKind;
  readonly english: string;

  constructor(kind: LogErrorKind, { nl, en }: Said, options?: ErrorOptions) {
    super(nl, options);
    this.kind = kind;
    this.english = en;
  }
}

/** Returns the error of a log in which no line can be read; undefined for any other log, an empty one included. */
export function noLines(stats: LogStats): LogError | undefined {
  const words = badLineWords(stats);
  if (words === undefined || stats.frames + stats.remoteFrames + stats.errorFrames > 0) return undefined;
  return new LogError('no lines', {
    nl: `Het logbestand heeft geen enkele leesbare regel: ${words.nl}.`,
    en: `The log has no line that can be read: ${words.en}.`,
  });
}
