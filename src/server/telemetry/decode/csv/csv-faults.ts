/** The faults that every kind of CSV can have, in both languages. */
import { type BadLine, beginningOf, LogError } from '#server/telemetry/decode/log-outcome.ts';

export const MOST_COLUMNS = 1000;

export const tooManyColumns = (): LogError =>
  new LogError('header', {
    nl: `CSV: meer dan ${MOST_COLUMNS} kolommen.`,
    en: `CSV: more than ${MOST_COLUMNS} columns.`,
  });

/** @param column from 0 */
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
