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
export type LogErrorKind =
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
