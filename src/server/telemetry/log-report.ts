/** Writes the line about a log file that an administrator reads: how many readings it brought, and why others, or all, are none. */
import type { Definition } from '#shared/contract/definition.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { dateAndTime, plainNumber } from '#shared/domain/nl.ts';
import type { BusReport } from './decode/j1939/bus-report.ts';
import { hasFrames, type LogFormat } from './decode/log-file-name.ts';
import { type BilingualText, type LogStats, leftOutOf } from './decode/log-outcome.ts';

/** A file decoded by one definition. */
export type DecodedPass = {
  readonly definition: Definition;
  /** Whether the binding has this definition now. */
  readonly isPresent: boolean;
  readonly stats: LogStats;
  /** Undefined: the definition has no J1939. */
  readonly busReport: BusReport | undefined;
  /** Says what was left out of the file. */
  readonly remarks: readonly BilingualText[];
  /** Says how far the logger's clock is off. */
  readonly clockError?: BilingualText | undefined;
};

export type LogReport = {
  readonly format: LogFormat;
  /** Readings that are stored now. */
  readonly readings: number;
  /** In Dutch: why a part of the file is no history. */
  readonly findings: readonly string[];
  /** By the definition of the file's time; undefined where the logger was on no machine then, and for a file that broke off. */
  readonly pass: DecodedPass | undefined;
  readonly summary: LogSummary | undefined;
  /** From the earliest to the latest time in the file, ms. */
  readonly span: Range | undefined;
  /** In Dutch: readings that wait for an administrator. */
  readonly held?: string | undefined;
};

const readingCount = (count: number): string =>
  `${plainNumber(count)} ${count === 1 ? 'meting' : 'metingen'}`;

export const TO_TAKE_OVER = '(over te nemen bij Quarantaine)';

/** @param reason why they wait, in Dutch */
export const heldWords = (count: number, reason: string): string =>
  `${readingCount(count)} ${reason} ${TO_TAKE_OVER}`;

/** '0 metingen; geen van de 40 frames …': the parts, in Dutch. A file without readings always has a reason. */
export function reportOf(report: LogReport): string {
  const { readings, findings, pass, held } = report;
  const isUnexplained = readings === 0 && held === undefined && findings.every(isPartial);
  const reason = isUnexplained ? whyNone(report) : undefined;
  const clockError = pass?.clockError ? [pass.clockError] : [];
  const remarks = pass ? [...leftOutOf(pass.stats, pass.remarks), ...clockError].map(({ nl }) => nl) : [];
  return [readingCount(readings), held, ...findings, reason, ...remarks].filter(Boolean).join('; ');
}

const AGAIN = 'decodeer daarna de logbestanden opnieuw';
export const NO_DBC = `er is geen datadefinitie (DBC) voor deze logger: upload een DBC-bestand en ${AGAIN}`;
export const ALL_TIMES =
  'alle tijden in het bestand zijn onmogelijk (voor 2015 of in de toekomst): zet de klok van de logger gelijk';
export const SOME_UNBOUND = 'de logger was bij een deel aan geen machine gekoppeld';
/** Whether a finding does not explain why the rest of a file brought nothing. */
const isPartial = (finding: string): boolean =>
  finding === SOME_UNBOUND || finding.includes('hebben een onmogelijke tijd');
export const notBound = (span: Range | undefined): string =>
  `de logger was toen${span ? ` (${dateAndTime(span.from)})` : ''} aan geen machine gekoppeld, en de metingen horen bij geen machine`;

/** Returns why a file that was read to its end brought no reading, with what one does about it, in Dutch. */
function whyNone({ format, pass, span, summary }: LogReport): string {
  if (!pass) return notBound(span);
  const { isPresent, stats } = pass;
  const { frames, values, remoteFrames, errorFrames } = stats;
  const { refusedTimes, unknownIds, decodedFrames } = stats;
  if (frames === 0 && values === 0)
    return remoteFrames + errorFrames > 0
      ? 'het bestand heeft alleen fouten en verzoeken van de CAN-bus: controleer de aansluiting en de snelheid van de CAN-bus'
      : 'het bestand is leeg';
  const rows = plainNumber(frames);
  const unknown = summary?.unknownIdentifiers ?? 0;
  const identifiers = `${plainNumber(unknown)} onbekende ${unknown === 1 ? 'identifier' : 'identifiers'}`;
  const { mapping } = pass.definition;
  const when = isPresent ? 'de datadefinitie' : 'de datadefinitie van toen';
  const mend = (what: string): string =>
    isPresent
      ? `${what} en ${AGAIN}`
      : 'decodeer de logbestanden opnieuw om de huidige datadefinitie te gebruiken';
  if (decodedFrames === 0) {
    if (mapping.signals.length + mapping.keep.length === 0)
      return `${when} koppelt geen enkel signaal: ${mend('koppel de signalen')}`;
    if (unknownIds + refusedTimes >= frames)
      return `geen van de ${rows} frames staat in het DBC-bestand van zijn CAN-bus (${identifiers}): ${mend('controleer of het DBC-bestand bij deze machine en deze bus hoort')}`;
    return `geen van de ${rows} frames heeft een signaal dat ${when} koppelt of bewaart: ${mend('koppel de signalen')}`;
  }
  const what = hasFrames(format) ? 'frames' : 'rijen';
  return `geen van de ${plainNumber(decodedFrames)} ${what} heeft een bruikbare waarde: ${mend('controleer de factor en offset van de koppeling')}`;
}
