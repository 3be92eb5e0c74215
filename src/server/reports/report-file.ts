import { CONTENT_TYPES, type Format } from '#shared/domain/reports/kinds.ts';
import { csvOf } from './csv.ts';
import { gpxOf } from './gpx.ts';
import { jsonOf } from './json.ts';
import type { ReportMetadata, ReportSummary } from './notes.ts';
import { openReport } from './open-report.ts';
import { parquetOf } from './parquet.ts';
import { type OpenedReport, readReport } from './read-report.ts';
import type { ReportContext } from './report.ts';
import { xlsxOf } from './xlsx.ts';

const WRITERS: Readonly<Record<Format, (report: OpenedReport) => AsyncGenerator<Buffer, void>>> = {
  csv: csvOf,
  xlsx: (report) => xlsxOf(report),
  json: jsonOf,
  gpx: gpxOf,
  parquet: parquetOf,
};

/** Formats whose content type names no character set. */
const BINARY: ReadonlySet<Format> = new Set(['xlsx', 'parquet']);

export type ReportFile = {
  readonly name: string;
  readonly contentType: string;
  /** The file is made while it is read, at most one chunk ahead. Ending the generator ends the work. */
  readonly chunks: AsyncGenerator<Buffer, void>;
  /** Completeness of the report; known after the last chunk is read. */
  readonly summary: () => ReportSummary;
};

/** Returns '2026-11-28' or '2026-11-28-1800'. */
const momentOf = (day: string, time: string | undefined): string =>
  time === undefined ? day : `${day}-${time.replace(':', '')}`;

/** Returns a name in a form that a file name can contain, such as 'tunnelonderhoud-rotte'. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '') || 'project';

/**
 * Makes a report as a file.
 * @throws ProblemError 403, 404 and 400, before a row is read
 */
export async function createReportFile(
  context: ReportContext,
  metadata: ReportMetadata,
  format: Format,
): Promise<ReportFile> {
  const report = readReport(await openReport(context, metadata.question), metadata);
  const { kind, settings } = metadata.question;
  const of = report.project === undefined ? '' : `-${slugOf(report.project)}`;
  return {
    name: `${kind}${of}-${momentOf(settings.from, settings.fromTime)}-${momentOf(settings.to, settings.toTime)}.${format}`,
    contentType: BINARY.has(format) ? CONTENT_TYPES[format] : `${CONTENT_TYPES[format]}; charset=utf-8`,
    chunks: WRITERS[format](report),
    summary: report.summary,
  };
}
