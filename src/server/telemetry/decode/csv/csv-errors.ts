/** The errors that decoders of CSV files report. */
import { LogError, printableLineStart } from '#server/telemetry/decode/log-outcome.ts';
import type { BadColumn, BadLine } from '#shared/domain/delivery-findings/format-texts.ts';

export const MAX_COLUMNS = 1000;

export const tooManyColumnsError = (): LogError =>
  new LogError('header', { kind: 'csv-too-many-columns', most: MAX_COLUMNS });

const IDENTIFIERS = /^(?:(?:can|arb|arbitration|message|msg|frame)?[ _]?id(?:entifier)?|can_dataframe\.id)$/;
const DATA = /^(?:dlc|data ?(?:bytes)?|(?:d|b|data|byte)[ _]?[01]|can_dataframe\.databytes)$/;

/**
 * Returns the error of a CSV with columns of CAN frames in an unknown format; undefined for any other CSV.
 * @param names names of the columns, in lower case
 */
export function unknownFrameFormatError(names: readonly string[]): LogError | undefined {
  if (!names.some((name) => IDENTIFIERS.test(name)) || !names.some((name) => DATA.test(name)))
    return undefined;
  return new LogError('header', { kind: 'csv-of-other-frames' });
}

/** Returns the error for a column that cannot be used. */
export const badColumnError = (bad: BadColumn): LogError =>
  new LogError('header', { kind: 'csv-bad-column', bad });

/**
 * Describes a row that cannot be read.
 * @param row the row's cells, or its text
 * @param times examples of a time, joined by the Dutch word 'of' (or)
 */
export const describeBadRow = (
  row: readonly string[] | Uint8Array,
  separator: string,
  columnCount: number,
  times: string,
): Omit<BadLine, 'line'> => ({
  text: printableLineStart(row instanceof Uint8Array ? row : row.join(separator)),
  expected: { columns: columnCount, times },
});
