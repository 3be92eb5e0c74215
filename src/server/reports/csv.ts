import { AsciiText } from '#server/platform/ascii-text.ts';
import { CSV_BYTE_ORDER_MARK, CSV_LINE_END, csvRow, textCell } from '#server/platform/csv.ts';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import {
  type BaseValue,
  type Column,
  columnInfo,
  headingOf,
  toOutputUnit,
} from '#shared/domain/reports/column.ts';
import { withDecimalHours } from './decimal-hours.ts';
import type { OpenedReport, TableReport } from './read-report.ts';
import { withUtcColumns } from './utc-columns.ts';
import { openTimeFormatter } from './wall-clock.ts';

/**
 * Writes a report as CSV: heading, rows, an empty line, totals and notes. Without the empty line a program would read the totals as rows.
 */
export async function* csvOf(
  report: TableReport & Partial<Pick<OpenedReport, 'columnPortions'>>,
): AsyncGenerator<Buffer, void> {
  const { columnPortions } = report;
  const { columns, portions, notes, totals } = withDecimalHours(withUtcColumns(report));
  yield Buffer.from(
    CSV_BYTE_ORDER_MARK + csvRow(columns.map((column) => textCell(headingOf(columnInfo(column))))),
  );
  yield* columnPortions ? linesOf(columns, columnPortions) : rowsOf(columns, portions);
  const sums = totals();
  yield Buffer.from(
    CSV_LINE_END +
      (sums ? csvRow(columns.map((column, n) => totalCell(column, n, sums[n] ?? null))) : '') +
      notes()
        .map((note) => csvRow([textCell(note)]))
        .join(''),
  );
}

const COMMA = ','.charCodeAt(0);
/** Usual lengths of a time and of a number in a row, from which the size of the buffer follows. */
const [CLOCK_BYTES, NUMBER_BYTES] = [26, 8];

async function* rowsOf<Row>(
  columns: readonly Column<Row>[],
  portions: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer, void> {
  const cells = columns.map(cellOf);
  const last = cells.length - 1;
  for await (const rows of portions) {
    let text = '';
    for (const row of rows)
      for (let n = 0; n <= last; n += 1) text += cells[n]?.(row) + (n === last ? CSV_LINE_END : ';');
    yield Buffer.from(text);
  }
}

/**
 * Returns the rows of a report of times and numbers, made from columns. Creates no array per row and no string per number, which would
 * take most of the time.
 */
async function* linesOf(
  columns: readonly Column<never>[],
  portions: AsyncIterable<ReadingColumns>,
): AsyncGenerator<Buffer, void> {
  const clocks = columns.flatMap((column) => (column.kind === 'moment' ? [clockOf(column)] : []));
  for await (const { times, values } of portions) {
    const text = new AsciiText(times.length * (CLOCK_BYTES * clocks.length + NUMBER_BYTES * values.length));
    for (let n = 0; n < times.length; n += 1) {
      for (const clock of clocks) {
        if (clock !== clocks[0]) text.add(';');
        text.add(clock(times[n] as number));
      }
      for (const column of values) {
        const value = column[n] as number;
        text.add(';');
        if (!Number.isNaN(value)) text.addNumber(value, COMMA);
      }
      text.add(CSV_LINE_END);
    }
    yield text.toBytes();
  }
}

/** Returns a cell of the row of totals: the label in the first column, and the sum in a column that is summed. */
function totalCell({ kind }: Column<object>, at: number, sum: BaseValue): string {
  if (at === 0 && (kind === 'text' || kind === 'day' || kind === 'moment')) return textCell('Totaal');
  if (typeof sum !== 'number') return '';
  if (kind === 'duration') return durationText(sum / 1000);
  return formatDecimalComma(kind === 'number' ? sum : (toOutputUnit(kind, sum) as number));
}

/** Returns '12:05:09'. Excel reads the text as a duration, also beyond a day. */
function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/**
 * Formats a number as JavaScript does, with a decimal comma. Most values have at most one decimal; they are formatted as two whole numbers,
 * which is twice as fast.
 */
export function formatDecimalComma(value: number): string {
  const tenths = Math.round(value * 10);
  if (tenths / 10 === value && tenths >= 0 && tenths < MAX_EXACT_TENTHS) {
    const whole = Math.floor(tenths / 10);
    const digit = tenths - whole * 10;
    return digit === 0 ? String(whole) : `${whole},${digit}`;
  }
  return String(value).replace('.', ',');
}

/** Below this value the multiplication by 10 is exact enough to find out whether a number has at most one decimal. */
const MAX_EXACT_TENTHS = 1e9;

const clockOf = ({ digits, isUtc }: { readonly digits?: number; readonly isUtc?: boolean }) =>
  openTimeFormatter(digits === 3, isUtc);

/** Returns the function that writes a cell of a column. Numbers have no quotes, so that they stay numbers. */
function cellOf<Row>(column: Column<Row>): (row: Row) => string {
  if (column.kind === 'text') return (row) => textCell(column.value(row) ?? '');
  if (column.kind === 'day') return (row) => column.value(row) ?? '';
  if (column.kind === 'moment') {
    const clock = clockOf(column);
    return (row) => {
      const time = column.value(row);
      return time === null ? '' : clock(time);
    };
  }
  if (column.kind === 'share')
    return (row) => {
      const [part, whole] = column.parts(row);
      return whole > 0 ? formatDecimalComma(toOutputUnit('share', part / whole) as number) : '';
    };
  if (column.kind === 'duration')
    return (row) => {
      const ms = column.value(row);
      return ms === null ? '' : durationText(ms / 1000);
    };
  const { kind, value } = column;
  return (row) => {
    const base = value(row);
    return typeof base !== 'number'
      ? ''
      : formatDecimalComma(kind === 'number' ? base : (toOutputUnit(kind, base) as number));
  };
}
