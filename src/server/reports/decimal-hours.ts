import type { BaseValue, Column } from '#shared/domain/reports/column.ts';
import type { TableReport } from './read-report.ts';

const HOURS_RULE = 'Duren staan er twee keer: in uren, minuten en seconden, en in uren met decimalen.';

/** Decimals of hours in a file: rounded to a ten-thousandth, a third of a second. */
const PER_HOUR = 1e4;
const MS_PER_HOUR = 3_600_000;

const inHours = (ms: BaseValue): BaseValue =>
  typeof ms === 'number' ? Math.round((ms / MS_PER_HOUR) * PER_HOUR) / PER_HOUR : ms;

/**
 * Returns the report as CSV and XLSX show it: each duration has a second column with the hours as a decimal number, for
 * calculations.
 */
export function withDecimalHours(report: TableReport): TableReport {
  const places = report.columns.flatMap((column, at) => (column.kind === 'duration' ? [at, at] : [at]));
  if (places.length === report.columns.length) return report;
  const isHours = places.map((at, place) => places[place - 1] === at);
  return {
    ...report,
    columns: report.columns.flatMap(inBothUnits),
    totals: () => {
      const sums = report.totals();
      return (
        sums && places.map((at, place) => (isHours[place] ? inHours(sums[at] ?? null) : (sums[at] ?? null)))
      );
    },
    notes: () => [...report.notes(), HOURS_RULE],
  };
}

const inBothUnits = <Row>(column: Column<Row>): readonly Column<Row>[] =>
  column.kind === 'duration'
    ? [
        column,
        {
          ...column,
          key: `${column.key}Hours`,
          kind: 'number',
          unit: 'uur',
          digits: 2,
          value: (row) => inHours(column.value(row)) as number | null,
        },
      ]
    : [column];
