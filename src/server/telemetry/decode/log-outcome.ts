/** What became of a log so far: for the import's report and the writer's counters. */
export type LogStats = {
  /** Frames of the bus; of a wide CSV, rows; of a GPX, points with a time and a position. */
  frames: number;
  /** Of those, the ones from which something was decoded for. */
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
  decodedFrames: 0,
  unknownIds: 0,
  remoteFrames: 0,
  errorFrames: 0,
  badLines: 0,
  skippedValues: 0,
  refusedTimes: 0,
  readings: 0,
});

export function countBadLine(stats: LogStats, line: number): void {
  stats.badLines += 1;
  stats.firstBadLine ??= line;
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
 * - no times: no point of the GPX has a time
 * - no definition: a GVRET CSV, and no DBC to read its frames by
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
  | 'no definition';

/** The message is Dutch, for people. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: LogErrorKind;

  constructor(kind: LogErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
