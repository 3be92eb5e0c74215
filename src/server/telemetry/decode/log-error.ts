/**
 * Why a log cannot be read (further).
 * - needs start: its clock counts from power-on and nothing says when that was
 * - truncated: the gzip file ends too early; what came before was delivered
 * - corrupt: the gzip file is damaged; what came before was delivered
 * - too large: more text than allowed
 * - header: the CSV has no usable first row
 * - no zone: the CSV's times do not say their zone
 */
export type LogErrorKind = 'needs start' | 'truncated' | 'corrupt' | 'too large' | 'header' | 'no zone';

/** The message is Dutch, for people. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: LogErrorKind;

  constructor(kind: LogErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
