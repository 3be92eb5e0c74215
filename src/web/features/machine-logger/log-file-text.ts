import type { LogFile, LogSummary } from '#shared/contract/log-files.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { clockTime, dateAndTime, formatDecimals, formatNumber } from '#shared/domain/nl.ts';

const MILLION = 1_000_000;

/** Returns for example '860' or '1,2 miljoen'. */
const roughNumber = (count: number): string =>
  count < MILLION ? formatNumber(count) : `${formatDecimals(count / MILLION, 1, 0)} miljoen`;

const counted = (count: number, one: string, more: string, number = formatNumber(count)): string =>
  `${number} ${count === 1 ? one : more}`;

/** Returns the times of the first and last record ('01-06-26, 10:00 tot 10:59'); '--' if no record has a usable time. */
export function periodText({ from, to }: LogSummary): string {
  if (from === null || to === null) return '--';
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const end = amsterdamDay(first) === amsterdamDay(last) ? clockTime(last) : dateAndTime(last);
  return `${dateAndTime(first)} tot ${end}`;
}

/** Returns the number of CAN identifiers without definition: '2', or 'minstens 1.000', because the server counts no further. */
export const unknownIdentifiersText = ({ unknownIdentifiers }: LogSummary): string =>
  unknownIdentifiers < 1_000
    ? formatNumber(unknownIdentifiers)
    : `minstens ${formatNumber(unknownIdentifiers)}`;

/** Returns how many mapped signals had a value ('14 van 16'); '--' if the definition maps no signal. */
export const signalsText = ({ mapped, found }: LogSummary): string =>
  mapped === 0 ? '--' : `${formatNumber(found)} van ${formatNumber(mapped)}`;

/** Returns for example 'Niet gevonden: Soc2, MotorSpeed'; undefined if every mapped signal had a value. */
export function missingSignalsText({ mapped, found, missing }: LogSummary): string | undefined {
  if (missing.length === 0) return undefined;
  const more = mapped - found - missing.length;
  return `Niet gevonden: ${missing.join(', ')}${more > 0 ? ` en nog ${formatNumber(more)}` : ''}`;
}

/** Returns for example 'can0 is bus 0, can1 is bus 1'; undefined if the file names no interfaces. */
export const busesText = ({ buses }: LogSummary): string | undefined =>
  buses?.map(({ name, bus }) => `${name} is bus ${bus}`).join(', ');

/**
 * Returns what a log file contains: '3.600 s, 1,2 miljoen frames, 14 van 16 gekoppelde signalen gevonden, 2 identifiers zonder
 * definitie; 3.600 metingen'.
 */
export function contentText({ summary, result }: Pick<LogFile, 'summary' | 'result'>): string {
  if (summary === null) return result;
  const { from, to, frames, unknownIdentifiers, mapped } = summary;
  const buses = busesText(summary);
  const seconds =
    from !== null && to !== null ? Math.ceil((Date.parse(to) - Date.parse(from) + 1) / 1000) : 0;
  const parts = [
    `${formatNumber(seconds)} s`,
    counted(frames, 'frame', 'frames', roughNumber(frames)),
    ...(mapped > 0 ? [`${signalsText(summary)} gekoppelde signalen gevonden`] : []),
    ...(unknownIdentifiers > 0
      ? [
          counted(unknownIdentifiers, 'identifier', 'identifiers', unknownIdentifiersText(summary)).concat(
            ' zonder definitie',
          ),
        ]
      : []),
    ...(buses === undefined ? [] : [buses]),
  ];
  return `${parts.join(', ')}; ${result}`;
}
