import type { LogEntry } from '#shared/contract/log.ts';
import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { actionWords, lineText, logLines, personWords } from '#shared/domain/log-words.ts';

/**
 * Excel takes what begins so for a formula, whoever typed it: an apostrophe before it makes it a text (OWASP, CSV injection).
 * Blanks before it do not keep it from that.
 */
const FORMULA = /^\s*[=+\-@\t\r\n|%]/;
const cell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
const row = (cells: readonly string[]): string => `${cells.map(cell).join(';')}\r\n`;

const HEAD = [
  'Wanneer',
  'Wie',
  'Adres',
  'Apparaat',
  'Wat',
  'Waarop',
  'Wie betreft het',
  'Organisatie',
  'Gegevens',
];

/** As Excel opens it in the Netherlands: UTF-8 by its first character, semicolons, Amsterdam's time. */
export const CSV_HEAD = `\uFEFF${row(HEAD)}`;

export const csvOf = (entries: readonly LogEntry[]): string =>
  entries
    .map((entry) =>
      row([
        wallClockOf(Date.parse(entry.at)),
        personWords(entry.who),
        entry.address,
        entry.device,
        actionWords(entry.action),
        entry.subject,
        entry.account ? personWords(entry.account) : '',
        entry.organization ?? '',
        logLines(entry).map(lineText).join('; '),
      ]),
    )
    .join('');
