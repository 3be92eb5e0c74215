/** CSV as Excel opens it in the Netherlands: UTF-8 by its first character, semicolons, lines that end in CR LF. */
export const CSV_START = '\uFEFF';
export const CSV_END = '\r\n';

/**
 * Excel takes what begins so for a formula, whoever typed it: an apostrophe before it makes it a text (OWASP, CSV injection).
 * Blanks before it do not keep it from that.
 */
const FORMULA = /^\s*[=+\-@\t\r\n|%]/;

/** A text, between quotes. */
export const textCell = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).toWellFormed().replaceAll('"', '""')}"`;

export const csvRow = (cells: readonly string[]): string => `${cells.join(';')}${CSV_END}`;
