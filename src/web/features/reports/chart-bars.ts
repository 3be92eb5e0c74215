import type { ReportAnswer } from '#shared/contract/reports.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { CHARTS } from './report-view.ts';

const MAX_DAYS = 62;
const MAX_MACHINES = 12;

export type BarChart = {
  readonly column: ReportAnswer['columns'][number];
  readonly isPerDay: boolean;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
};

/**
 * Sums the rows by machine or by day. Returns the 12 machines with the largest sums, or all days (at most 62); undefined if there
 * is nothing to compare, there are more days, or the rows are cut off.
 */
export function barsOf({ report, columns, rows, isCut }: ReportAnswer): BarChart | undefined {
  const chart = CHARTS[report];
  const by = columns.findIndex(({ key }) => key === chart?.by);
  const figure = columns.findIndex(({ key }) => key === chart?.figure);
  const column = columns[figure];
  if (!column || by < 0 || isCut) return undefined;
  const isPerDay = columns[by]?.kind !== 'text';
  const sums = new Map<string, number>();
  for (const row of rows) {
    const cell = String(row[by] ?? '');
    const name = columns[by]?.kind === 'moment' ? amsterdamDay(Date.parse(cell)) : cell;
    sums.set(name, (sums.get(name) ?? 0) + Number(row[figure] ?? 0));
  }
  const all = [...sums].map(([name, value]) => ({ name, value }));
  if (all.length < 2 || (isPerDay && all.length > MAX_DAYS)) return undefined;
  const bars = isPerDay
    ? all.sort((a, b) => (a.name < b.name ? -1 : 1))
    : all.sort((a, b) => b.value - a.value).slice(0, MAX_MACHINES);
  return { column, isPerDay, bars };
}
