import { CSV_START, csvRow, textCell } from '#server/platform/csv.ts';
import type { LogEntry } from '#shared/contract/log.ts';
import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { actionText, lineText, logLines, personText } from '#shared/domain/log-text.ts';

const row = (cells: readonly string[]): string => csvRow(cells.map(textCell));

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

/** First row of the file, for Excel with Dutch settings: a byte order mark for UTF-8, semicolons, Amsterdam's time. */
export const CSV_HEAD = `${CSV_START}${row(HEAD)}`;

export const csvOf = (entries: readonly LogEntry[]): string =>
  entries
    .map((entry) =>
      row([
        wallClockOf(Date.parse(entry.at)),
        personText(entry.who),
        entry.address,
        entry.device,
        actionText(entry.action),
        entry.subject,
        entry.account ? personText(entry.account) : '',
        entry.organization ?? '',
        logLines(entry).map(lineText).join('; '),
      ]),
    )
    .join('');
