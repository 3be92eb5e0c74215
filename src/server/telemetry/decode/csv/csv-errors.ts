/** Errors of every kind of CSV, in both languages. */
import { type BadLine, beginningOf, LogError } from '#server/telemetry/decode/log-outcome.ts';

export const MOST_COLUMNS = 1000;

export const tooManyColumns = (): LogError =>
  new LogError('header', {
    nl: `CSV: meer dan ${MOST_COLUMNS} kolommen.`,
    en: `CSV: more than ${MOST_COLUMNS} columns.`,
  });

const IDENTIFIERS = /^(?:(?:can|arb|arbitration|message|msg|frame)?[ _]?id(?:entifier)?|can_dataframe\.id)$/;
const DATA = /^(?:dlc|data ?(?:bytes)?|(?:d|b|data|byte)[ _]?[01]|can_dataframe\.databytes)$/;

/**
 * Returns the error of a CSV with columns of CAN frames in an unknown format; undefined for any other CSV.
 * @param names in lower case
 */
export function framesOfAnotherKind(names: readonly string[]): LogError | undefined {
  if (!names.some((name) => IDENTIFIERS.test(name)) || !names.some((name) => DATA.test(name)))
    return undefined;
  return new LogError('header', {
    nl: 'CSV: dit zijn CAN-frames (kolommen met identifier en data) in een indeling die niet wordt gelezen: sla het log op als candump, ASC, MF4 of GVRET.',
    en: 'CSV: these are CAN frames (columns of identifier and data) in a layout that is not read: save the log as candump, ASC, MF4 or GVRET.',
  });
}

/** @param column 0-based */
export const uselessName = (column: number): LogError =>
  new LogError('header', {
    nl: `CSV: kolom ${column + 1} heeft geen bruikbare naam.`,
    en: `CSV: column ${column + 1} has no usable name.`,
  });

export const columnTwice = (name: string): LogError =>
  new LogError('header', {
    nl: `CSV: kolom ${name} staat er twee keer.`,
    en: `CSV: the column ${name} is there twice.`,
  });

/**
 * Describes a row that cannot be read.
 * @param row its cells, or its text
 * @param times examples of a time, joined by 'of'
 */
export const badRow = (
  row: readonly string[] | Uint8Array,
  separator: string,
  columnCount: number,
  times: string,
): BadLine => ({
  text: beginningOf(row instanceof Uint8Array ? row : row.join(separator)),
  expected: {
    nl: `een rij van ${columnCount} kolommen, zoals de eerste regel, met een tijd zoals ${times}`,
    en: `a row of ${columnCount} columns, as the first line has, with a time such as ${times.replace(' of ', ' or ')}`,
  },
});
