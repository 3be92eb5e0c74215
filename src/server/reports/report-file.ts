import { type Format, MEDIA } from '#shared/domain/reports/kinds.ts';
import { csvOf } from './csv.ts';
import { gpxOf } from './gpx.ts';
import { jsonOf } from './json.ts';
import type { Made, Summary } from './notes.ts';
import { openReport } from './open-report.ts';
import { type ReadReport, readReport } from './read-report.ts';
import type { ReportContext } from './report.ts';
import { xlsxOf } from './xlsx.ts';

const WRITERS: Readonly<Record<Format, (report: ReadReport) => AsyncGenerator<Buffer, void>>> = {
  csv: csvOf,
  xlsx: (report) => xlsxOf(report),
  json: jsonOf,
  gpx: gpxOf,
};

export type ReportFile = {
  readonly name: string;
  readonly contentType: string;
  /** Made while it is read: whoever stops reading ends the work. One is there until the next one is asked for. */
  readonly pieces: AsyncGenerator<Buffer, void>;
  /** When the last piece is read: how complete it is. */
  readonly summary: () => Summary;
};

/** '2026-11-28', '2026-11-28-1800'. */
const momentOf = (day: string, time: string | undefined): string =>
  time === undefined ? day : `${day}-${time.replace(':', '')}`;

/** 'tunnelonderhoud-rotte': a name as a part of a file name. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '') || 'project';

/**
 * A report as a file.
 * @throws ProblemError 403, 404 and 400, before a row is read
 */
export async function reportFile(context: ReportContext, made: Made, format: Format): Promise<ReportFile> {
  const report = readReport(await openReport(context, made.question), made);
  const { kind, settings } = made.question;
  const of = report.project === undefined ? '' : `-${slugOf(report.project)}`;
  return {
    name: `${kind}${of}-${momentOf(settings.from, settings.fromTime)}-${momentOf(settings.to, settings.toTime)}.${format}`,
    contentType: format === 'xlsx' ? MEDIA.xlsx : `${MEDIA[format]}; charset=utf-8`,
    pieces: WRITERS[format](report),
    summary: report.summary,
  };
}
