import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import { escapeXmlText } from '#server/platform/xml-text.ts';
import {
  type BaseValue,
  baseValueOf,
  type Column,
  columnInfo,
  headingOf,
  toOutputUnit,
} from '#shared/domain/reports/column.ts';
import { withDecimalHours } from './decimal-hours.ts';
import type { TableReport } from './read-report.ts';
import { withUtcColumns } from './utc-columns.ts';
import { openUtcOffsetCache } from './wall-clock.ts';

/** Maximum number of rows of an Excel sheet. */
export const MAX_ROW_COUNT = 1_048_576;
/** Compression level of zlib: 1 is fast, and its result is only a tenth larger than with the best compression. */
const COMPRESSION = 1;

/**
 * Writes a report as a workbook (ECMA-376, SpreadsheetML) while it is read: numbers, dates and durations have their types, the
 * heading stays visible, and the last row has the totals. Rows that do not fit continue on a next sheet. The notes are on a
 * separate sheet.
 * @param mostRows rows of a sheet, including its heading and its totals
 */
export async function* xlsxOf(read: TableReport, mostRows = MAX_ROW_COUNT): AsyncGenerator<Buffer, void> {
  const report = withDecimalHours(withUtcColumns(read));
  const zip = new yazl.ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  const gone = new AbortController();
  const writing = writeParts(zip, report, mostRows - 2, gone.signal);
  writing.catch((error: Error) => output.destroy(error));
  zip.on('error', (error) => output.destroy(error as Error));
  try {
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    // Also runs if the reader stops reading early.
    gone.abort();
    output.destroy();
    await writing.catch(() => undefined);
  }
}

async function writeParts(
  zip: yazl.ZipFile,
  report: TableReport,
  mostRows: number,
  signal: AbortSignal,
): Promise<void> {
  const styles = stylesOf(report.columns);
  const rows = report.portions[Symbol.asyncIterator]();
  const name = report.title.slice(0, 25);
  const names: string[] = [];
  const add = (path: string, xml: string) =>
    zip.addBuffer(Buffer.from(xml), path, { compressionLevel: COMPRESSION });
  /** Rows of the last portion that did not fit on the previous sheet; the next sheet begins with them. */
  let left: readonly object[] = [];
  let isEnd = false;
  try {
    while (!isEnd) {
      names.push(names.length === 0 ? name : `${name} ${names.length + 1}`);
      const sheet = sheetOf(report, styles, mostRows, left, rows, (rest) => {
        left = rest ?? [];
        isEnd = rest === undefined;
      });
      const stream = Readable.from(sheet, { signal });
      const written = finished(stream);
      zip.addReadStream(stream, `xl/worksheets/sheet${names.length}.xml`, { compressionLevel: COMPRESSION });
      await written;
    }
  } finally {
    await rows.return?.();
  }
  names.push('Toelichting');
  add(`xl/worksheets/sheet${names.length}.xml`, notesSheet(report));
  add('xl/styles.xml', styles.xml);
  add('xl/workbook.xml', workbook(names));
  add('xl/_rels/workbook.xml.rels', workbookRelations(names.length));
  add('_rels/.rels', RELATIONS);
  add('[Content_Types].xml', contentTypes(names.length));
  zip.end();
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/**
 * Writes one sheet.
 * @param over callback that gets the rows that did not fit; it gets undefined if no rows are left
 */
async function* sheetOf(
  { columns, totals }: TableReport,
  styles: Styles,
  mostRows: number,
  first: readonly object[],
  rows: AsyncIterator<readonly object[]>,
  over: (rest: readonly object[] | undefined) => void,
): AsyncGenerator<Buffer, void> {
  const described = columns.map(columnInfo);
  const widths = described.map(({ kind, title, unit }, n) => {
    const width = Math.max(headingOf({ title, unit }).length + 3, WIDTHS[kind] ?? 12);
    return `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`;
  });
  yield Buffer.from(
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>
<row>${described.map((column) => textCell(headingOf(column), BOLD)).join('')}</row>
`,
  );
  const cells = columns.map((column, n) => cellOf(column, styles.plain[n] as number));
  let room = mostRows;
  let rest: readonly object[] | undefined = first;
  for (;;) {
    const fitting: readonly object[] = rest.slice(0, room);
    let text = '';
    for (const row of fitting) {
      text += '<row>';
      for (const cell of cells) text += cell(row);
      text += '</row>\n';
    }
    if (text !== '') yield Buffer.from(text);
    room -= fitting.length;
    if (fitting.length < rest.length) {
      rest = rest.slice(fitting.length);
      break;
    }
    const next: IteratorResult<readonly object[]> = await rows.next();
    rest = next.done ? undefined : next.value;
    if (rest === undefined) break;
  }
  over(rest);
  const sums = rest === undefined ? totals() : undefined;
  const totalsRow = sums && `<row>${totalCells(columns, sums, styles).join('')}</row>\n`;
  yield Buffer.from(`${totalsRow ?? ''}</sheetData></worksheet>`);
}

/** Returns the cells of the row of totals: a label in the first column, and the sum of each summed column. */
function totalCells(columns: TableReport['columns'], sums: readonly BaseValue[], styles: Styles): string[] {
  return columns.map((column, n) => {
    const sum = sums[n] ?? null;
    const isText = column.kind === 'text' || column.kind === 'day' || column.kind === 'moment';
    if (n === 0 && isText) return textCell('Totaal', BOLD);
    return typeof sum === 'number'
      ? numberCell(sheetValue(column.kind, sum), styles.bold[n] as number)
      : '<c/>';
  });
}

const WIDTHS: Readonly<Record<string, number>> = { text: 22, moment: 20, day: 12, duration: 12 };

const textCell = (text: string, style = 0): string =>
  `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${sheetText(text)}</t></is></c>`;
const numberCell = (value: number, style: number): string => `<c s="${style}"><v>${value}</v></c>`;

/** Maximum length of a text in a cell. `sheetText` also escapes texts such as _x000A_, which Excel reads as a character code. */
const MAX_CELL_CHARACTERS = 32_767;
const sheetText = (text: string): string =>
  escapeXmlText(text.slice(0, MAX_CELL_CHARACTERS).replace(/_x([0-9a-fA-F]{4})_/g, '_x005F_x$1_'));

const DAY_MS = 86_400_000;
/** Number of 1 January 1970 in Excel's count of days. */
const FIRST_DAY = 25_569;

/** Returns a value in the unit of the sheet, rounded so that it shows no float error. */
const sheetValue = (kind: Column<object>['kind'], base: number): number =>
  kind === 'duration'
    ? base / DAY_MS
    : kind === 'share'
      ? (toOutputUnit(kind, base) as number) / 100
      : (toOutputUnit(kind, base) as number);

function cellOf<Row>(column: Column<Row>, style: number): (row: Row) => string {
  const { kind } = column;
  if (kind === 'text')
    return (row) => {
      const text = column.value(row) ?? '';
      return text === '' ? '<c/>' : textCell(text);
    };
  if (kind === 'day')
    return (row) => {
      const day = column.value(row);
      return day === null ? '<c/>' : numberCell(Date.parse(`${day}T00:00Z`) / DAY_MS + FIRST_DAY, style);
    };
  if (kind === 'moment') {
    const offsetOf = column.isUtc ? () => 0 : openUtcOffsetCache();
    return (row) => {
      const time = column.value(row);
      return time === null ? '<c/>' : numberCell((time + offsetOf(time)) / DAY_MS + FIRST_DAY, style);
    };
  }
  return (row) => {
    const base = baseValueOf(column, row);
    return typeof base === 'number' ? numberCell(sheetValue(kind, base), style) : '<c/>';
  };
}

const BOLD = 1;
const WRAPPED = 2;

type Styles = {
  readonly xml: string;
  /** Style ids per column: `plain` for the rows, `bold` for the row of totals. */
  readonly plain: readonly number[];
  readonly bold: readonly number[];
};

/** Returns Excel's number format of a column; these formats do not depend on the language of the reader's Excel. */
function formatOf({ kind, digits }: { readonly kind: string; readonly digits: number }): string {
  if (kind === 'day') return 'dd\\-mm\\-yyyy';
  if (kind === 'moment') return digits === 3 ? 'dd\\-mm\\-yyyy\\ hh:mm:ss.000' : 'dd\\-mm\\-yyyy\\ hh:mm:ss';
  if (kind === 'duration') return '[h]:mm:ss';
  if (kind === 'share') return '0.0%';
  if (kind === 'text') return 'General';
  return digits === 0 ? '0' : digits > 3 ? 'General' : `0.${'0'.repeat(digits)}`;
}

function stylesOf(columns: TableReport['columns']): Styles {
  const formats = columns.map((column) => formatOf(columnInfo(column)));
  const different = [...new Set(formats)];
  const id = (format: string): number => (format === 'General' ? 0 : 164 + different.indexOf(format));
  const xf = (format: string, font: number): string =>
    `<xf numFmtId="${id(format)}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  const own = different.filter((format) => format !== 'General');
  const first = 3;
  return {
    plain: formats.map((format) => first + different.indexOf(format) * 2),
    bold: formats.map((format) => first + different.indexOf(format) * 2 + 1),
    xml: `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${own.length}">${own
      .map((format) => `<numFmt numFmtId="${id(format)}" formatCode="${escapeXmlText(format)}"/>`)
      .join(
        '',
      )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${first + different.length * 2}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment wrapText="1" vertical="top"/></xf>${different
      .map((format) => xf(format, 0) + xf(format, 1))
      .join('')}</cellXfs></styleSheet>`,
  };
}

function notesSheet({ title, metadata, notes }: TableReport): string {
  const lines = [metadata.organization, ...notes()].map((note) => `<row>${textCell(note, WRAPPED)}</row>`);
  return `${HEAD}<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="100" customWidth="1"/></cols><sheetData><row>${textCell(title, BOLD)}</row>${lines.join('')}</sheetData></worksheet>`;
}

const workbook = (names: readonly string[]): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${names
    .map((name, n) => `<sheet name="${escapeXmlText(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`)
    .join('')}</sheets></workbook>`;

const workbookRelations = (sheets: number): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${Array.from(
    { length: sheets },
    (_, n) =>
      `<Relationship Id="rId${n + 1}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
  ).join(
    '',
  )}<Relationship Id="rId${sheets + 1}" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`;

const RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const contentTypes = (sheets: number): string =>
  `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEETS}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEETS}.styles+xml"/>${Array.from(
    { length: sheets },
    (_, n) => `<Override PartName="/xl/worksheets/sheet${n + 1}.xml" ContentType="${SHEETS}.worksheet+xml"/>`,
  ).join('')}</Types>`;
