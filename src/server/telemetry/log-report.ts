/**
 * Builds the line about a log file for administrators: how many readings it gave, and why some or all of its content
 * gave none.
 */
import type { Definition } from '#shared/contract/definition.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { dateAndTime, plainNumber } from '#shared/domain/nl.ts';
import type { BusReport } from './decode/j1939/bus-report.ts';
import { hasFrames, type LogFormat } from './decode/log-file-name.ts';
import { type BilingualText, type LogStats, leftOutOf } from './decode/log-outcome.ts';

export type DecodedPass = {
  readonly definition: Definition;
  /** Whether the binding still has this definition. */
  readonly isPresent: boolean;
  readonly stats: LogStats;
  /** Undefined when the definition has no J1939. */
  readonly busReport: BusReport | undefined;
  readonly remarks: readonly BilingualText[];
  /** Describes how far the logger's clock is off. */
  readonly clockError?: BilingualText | undefined;
};

export type LogReport = {
  readonly format: LogFormat;
  /** Number of readings that are stored now. */
  readonly readings: number;
  /** Dutch reasons why a part of the file is not in the history. */
  readonly findings: readonly string[];
  /**
   * The pass with the definition of the file's time; undefined when the logger was bound to no machine then, and for a
   * file that broke off.
   */
  readonly pass: DecodedPass | undefined;
  readonly summary: LogSummary | undefined;
  /** Earliest and latest time in the file, in ms. */
  readonly span: Range | undefined;
  /** Dutch text about readings that wait for an administrator. */
  readonly quarantined?: string | undefined;
};

const readingCount = (count: number): string =>
  `${plainNumber(count)} ${count === 1 ? 'meting' : 'metingen'}`;

export const TO_ADOPT = '(over te nemen bij Quarantaine)';

/** @param reason Dutch reason why the readings are quarantined */
export const quarantineText = (count: number, reason: string): string =>
  `${readingCount(count)} ${reason} ${TO_ADOPT}`;

/** Returns the parts in Dutch: '0 metingen; geen van de 40 frames …'. A file without readings always gets a reason. */
export function reportOf(report: LogReport): string {
  const { readings, findings, pass, quarantined } = report;
  const isUnexplained = readings === 0 && quarantined === undefined && findings.every(isPartial);
  const reason = isUnexplained ? noReadingsText(report) : undefined;
  const clockError = pass?.clockError ? [pass.clockError] : [];
  const remarks = pass ? [...leftOutOf(pass.stats, pass.remarks), ...clockError].map(({ nl }) => nl) : [];
  return [readingCount(readings), quarantined, ...findings, reason, ...remarks].filter(Boolean).join('; ');
}

const AGAIN = 'decodeer daarna de logbestanden opnieuw';
export const NO_DBC = `er is geen datadefinitie (DBC) voor deze logger: upload een DBC-bestand en ${AGAIN}`;
export const ALL_TIMES =
  'alle tijden in het bestand zijn onmogelijk (voor 2015 of in de toekomst): zet de klok van de logger gelijk';
export const SOME_UNBOUND = 'de logger was bij een deel aan geen machine gekoppeld';
/** Returns whether a finding does not explain why the rest of a file gave no readings. */
const isPartial = (finding: string): boolean =>
  finding === SOME_UNBOUND || finding.includes('hebben een onmogelijke tijd');
export const notBound = (span: Range | undefined): string =>
  `de logger was toen${span ? ` (${dateAndTime(span.from)})` : ''} aan geen machine gekoppeld, en de metingen horen bij geen machine`;

/** Returns the Dutch reason why a completely read file gave no reading, and how to solve it. */
function noReadingsText({ format, pass, span, summary }: LogReport): string {
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
  const solution = (what: string): string =>
    isPresent
      ? `${what} en ${AGAIN}`
      : 'decodeer de logbestanden opnieuw om de huidige datadefinitie te gebruiken';
  if (decodedFrames === 0) {
    if (mapping.signals.length + mapping.keep.length === 0)
      return `${when} koppelt geen enkel signaal: ${solution('koppel de signalen')}`;
    if (unknownIds + refusedTimes >= frames)
      return `geen van de ${rows} frames staat in het DBC-bestand van zijn CAN-bus (${identifiers}): ${solution('controleer of het DBC-bestand bij deze machine en deze bus hoort')}`;
    return `geen van de ${rows} frames heeft een signaal dat ${when} koppelt of bewaart: ${solution('koppel de signalen')}`;
  }
  const what = hasFrames(format) ? 'frames' : 'rijen';
  return `geen van de ${plainNumber(decodedFrames)} ${what} heeft een bruikbare waarde: ${solution('controleer de factor en offset van de koppeling')}`;
}
