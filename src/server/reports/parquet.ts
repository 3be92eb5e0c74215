import { concatenateReadings, type ReadingColumns } from '#server/telemetry/readings/columns.ts';
import { openParquetTable } from '#server/telemetry/readings/parquet-table.ts';
import { columnInfo, headingOf } from '#shared/domain/reports/column.ts';
import type { OpenedReport } from './read-report.ts';

/** Rows per row group. Each column of a row group is one page, and takes tens of milliseconds to encode. */
const GROUP = 50_000;
const PAGE_BYTES = 1024 * 1024;

/**
 * Writes a report of times and numbers as a Parquet file. Reads the report by column, so that no object is created per row. The columns
 * have the headings of the CSV, with one column for the time, in UTC; the notes are in the metadata of the file.
 */
export async function* parquetOf(report: OpenedReport): AsyncGenerator<Buffer, void> {
  const { columnPortions } = report;
  if (!columnPortions) throw new Error('This report has no columns for a Parquet file.');
  const [time = '', ...names] = headingsOf(report);
  const table = openParquetTable(
    time,
    names.map((name) => ({ name, isPartial: true })),
    PAGE_BYTES,
  );
  let group: ReadingColumns[] = [];
  const encoded = (): Buffer => {
    const { times, values } = concatenateReadings(group, names.length);
    group = [];
    return table.add(times, values);
  };
  let rows = 0;
  for await (const portion of columnPortions) {
    if (portion.times.length === 0) continue;
    group.push(portion);
    rows += portion.times.length;
    if (rows < GROUP) continue;
    rows = 0;
    yield encoded();
  }
  if (rows > 0) yield encoded();
  const { title, metadata, notes } = report;
  yield table.end({ title, organization: metadata.organization, notes: notes().join('\n') });
}

/** Returns the headings. A heading that occurs twice gets a number, because programs find a column by its name. */
function headingsOf({ columns }: Pick<OpenedReport, 'columns'>): string[] {
  const used = new Set<string>();
  return columns.map((column) => {
    const { title, unit, kind } = columnInfo(column);
    const heading = headingOf({ title, unit: kind === 'moment' ? 'UTC' : unit });
    let name = heading;
    for (let n = 2; used.has(name.toLowerCase()); n += 1) name = `${heading} ${n}`;
    used.add(name.toLowerCase());
    return name;
  });
}
