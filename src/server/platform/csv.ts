/** CSV as Excel opens it in the Netherlands: UTF-8 by its first character, semicolons, lines that end in CR LF. */
export const CSV_START = '\uFEFF';
export const CSV_END = '\r\n';

/** Excel evaluates a cell that begins with one of these, blanks before it or not; the last four are the full-width ones. */
const SIGNS = String.raw`=+\-@|%\uff1d\uff0b\uff0d\uff20`;
const AT_START = new RegExp(String.raw`^\s*[${SIGNS}\t\r\n]`);
/**
 * A sign that begins a cell in the middle of a text, for a spreadsheet that separates by another character than ours. The pattern
 * looks back from each sign, so that its time stays linear on long runs of blanks.
 */
const AFTER_SEPARATOR = new RegExp(String.raw`[${SIGNS}](?<=[,;\t\r\n][ "']*.)`, 'g');

/** Returns the text with an apostrophe before whatever a spreadsheet would evaluate (OWASP, CSV injection). */
const withoutFormula = (text: string): string =>
  `${AT_START.test(text) ? "'" : ''}${text.replace(AFTER_SEPARATOR, "'$&")}`;

/** Returns the text as a quoted cell. Every text of a CSV file goes through it; numbers stay numbers without it. */
export const textCell = (text: string): string =>
  `"${withoutFormula(text).toWellFormed().replaceAll('"', '""')}"`;

export const csvRow = (cells: readonly string[]): string => `${cells.join(';')}${CSV_END}`;
