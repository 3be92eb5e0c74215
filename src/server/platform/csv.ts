/** CSV as Excel reads it in the Netherlands: UTF-8 with a byte order mark, semicolons, CR LF. */
export const CSV_BYTE_ORDER_MARK = '\uFEFF';
export const CSV_LINE_END = '\r\n';

/** Excel evaluates a cell that begins with one of these characters, with or without blanks before it; the last four are full-width. */
const SIGNS = String.raw`=+\-@|%\uff1d\uff0b\uff0d\uff20`;
const AT_START = new RegExp(String.raw`^\s*[${SIGNS}\t\r\n]`);
/**
 * A formula character (one of SIGNS) within a text that would begin a cell if a spreadsheet used another separator. The pattern looks
 * back from each formula character, so that long runs of blanks take linear time.
 */
const AFTER_SEPARATOR = new RegExp(String.raw`[${SIGNS}](?<=[,;\t\r\n][ "']*.)`, 'g');

/** Puts an apostrophe before everything that a spreadsheet would evaluate (OWASP, CSV injection). */
const withoutFormula = (text: string): string =>
  `${AT_START.test(text) ? "'" : ''}${text.replace(AFTER_SEPARATOR, "'$&")}`;

/** Returns the text as a quoted cell. Every text of a CSV file must pass through it; numbers need not. */
export const textCell = (text: string): string =>
  `"${withoutFormula(text).toWellFormed().replaceAll('"', '""')}"`;

export const csvRow = (cells: readonly string[]): string => `${cells.join(';')}${CSV_LINE_END}`;
