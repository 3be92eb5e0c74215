import { wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { isIncomplete } from '#shared/domain/completeness.ts';
import { dutchDate, formatDecimals, formatNumber } from '#shared/domain/nl.ts';
import { toOutputUnit } from '#shared/domain/reports/column.ts';
import { periodText } from '#shared/domain/reports/settings.ts';
import type { ReportQuestion } from './report.ts';
import type { ReportProject } from './report-projects.ts';

/** Describes a report for its notes: the query, the author, the time and the version. */
export type ReportMetadata = {
  readonly question: ReportQuestion;
  readonly by: string;
  /** Display name of the organization. */
  readonly organization: string;
  /** Time at which the report was made, in ms. */
  readonly at: number;
  readonly version: string;
};

export type ReportSummary = {
  /** Coverage of all rows, 0..1; null: no activity; undefined: the report does not measure coverage. */
  readonly coverage: number | null | undefined;
  /** Number of rows that may still change. */
  readonly provisional: number;
};

/** Returns the lines below a report: the period, the rules of the figures, the completeness of the figures, and the author. */
export function reportNotesOf(
  { question, by, organization, at, version }: ReportMetadata,
  rules: readonly string[],
  summary: ReportSummary,
  projects: readonly ReportProject[] = [],
): string[] {
  const [day = '', clock = ''] = wallClockOf(at).split(' ');
  return [
    `Periode: ${periodText(question.settings)}.`,
    ...projects.map(projectText),
    ...(question.machines ? [`Machines: ${question.machines.join(', ')}.`] : []),
    ...(question.labels
      ? [`Machines die nu een van deze labels dragen: ${question.labels.map(({ name }) => name).join(', ')}.`]
      : []),
    ...rules,
    ...completenessSentences(summary),
    `Gemaakt op ${dutchDate(day)} om ${clock} door ${by}, ${organization}, met Werkstroom ${version}.`,
  ];
}

/** Returns for example 'Project: Sluis, nummer 2026-14, opdrachtgever Waterschap.' */
function projectText({ name, number, client }: ReportProject): string {
  const parts = [name, number && `nummer ${number}`, client && `opdrachtgever ${client}`];
  return `Project: ${parts.filter(Boolean).join(', ')}.`;
}

/** Returns sentences about the completeness of the figures, and about whether they may still change. */
export const completenessSentences = ({ coverage, provisional }: ReportSummary): string[] => [
  ...(coverage === undefined ? [] : [coverageText(coverage)]),
  ...(provisional === 0
    ? []
    : [`${formatNumber(provisional)} ${provisional === 1 ? 'rij is' : 'rijen zijn'} voorlopig.`]),
];

function coverageText(coverage: number | null): string {
  if (coverage === null) return 'Dekking van alles: niet bekend, want er was geen activiteit.';
  const text = `Dekking van alles: ${formatDecimals(toOutputUnit('share', coverage) as number, 1)} %`;
  return isIncomplete(coverage) ? `${text}. De cijfers zijn onvolledig.` : `${text}.`;
}
