import type { Column } from '#shared/domain/reports/column.ts';
import type { TableReport } from './read-report.ts';

const ZONE_RULE =
  'Tijden staan er twee keer: (Amsterdam) is de klok in Nederland, die in oktober een uur twee keer heeft; (UTC) verspringt nooit.';

/** Returns the report as CSV and XLSX show it: each time has a column for Amsterdam and a second column for UTC (52.10, decision 66). */
export function withUtcColumns(report: TableReport): TableReport {
  const places = report.columns.flatMap((column, at) => (column.kind === 'moment' ? [at, at] : [at]));
  if (places.length === report.columns.length) return report;
  return {
    ...report,
    columns: report.columns.flatMap(inBothZones),
    totals: () => {
      const sums = report.totals();
      return sums && places.map((at) => sums[at] ?? null);
    },
    notes: () => [...report.notes(), ZONE_RULE],
  };
}

const inBothZones = <Row>(column: Column<Row>): readonly Column<Row>[] =>
  column.kind === 'moment'
    ? [
        { ...column, unit: 'Amsterdam' },
        { ...column, key: `${column.key}Utc`, unit: 'UTC', isUtc: true },
      ]
    : [column];
