import type { ReactNode } from 'react';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { isIncomplete as isIncompleteShare } from '#shared/domain/completeness.ts';
import { cellText, headingOf } from '#shared/domain/reports/column.ts';
import styles from './reports.module.css';

type Column = ReportAnswer['columns'][number];
type Cell = ReportAnswer['rows'][number][number];

const isNumber = ({ kind }: Column): boolean => kind !== 'text' && kind !== 'day' && kind !== 'moment';
const isIncomplete = ({ kind }: Column, value: Cell): boolean =>
  kind === 'share' && typeof value === 'number' && isIncompleteShare(value / 100);

/** Shows the totals above the table, because a wide table hides them. */
export function ReportTotals({ report: { columns, totals } }: { readonly report: ReportAnswer }): ReactNode {
  const sums = columns.flatMap((column, at) => {
    const total = totals?.[at] ?? null;
    return column.isSummed && total !== null ? [{ column, total }] : [];
  });
  if (sums.length === 0) return null;
  return (
    <dl className={`${styles.totals} cluster gap-2-6 stretch mb-6`}>
      {sums.map(({ column, total }) => (
        <div key={column.key}>
          <dt className="small">{headingOf(column)}</dt>
          <dd className={isIncomplete(column, total) ? 'larger strong alarming' : 'larger strong'}>
            {cellText(column, total)}
            {isIncomplete(column, total) && ' onvolledig'}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The rows of a report with their totals below. Marks incomplete and provisional figures. */
export function ReportTable({ report }: { readonly report: ReportAnswer }): ReactNode {
  const { columns, rows, totals, title } = report;
  const cell = (column: Column, value: Cell): ReactNode => {
    const text = cellText(column, value);
    if (isIncomplete(column, value))
      return <strong className={`${styles.mark} alarming strong`}>{text} onvolledig</strong>;
    return column.key === 'status' && text !== '' ? (
      <strong className={`${styles.mark} alarming strong`}>{text}</strong>
    ) : (
      text
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by the keyboard (WCAG 2.1.1).
    <section className={`${styles.frame} surface`} aria-label={`Tabel ${title}`} tabIndex={0}>
      <table className={`${styles.table} table`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={isNumber(column) ? styles.number : undefined}>
                {headingOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and do not move.
            <tr key={n}>
              {columns.map((column, at) => (
                <td key={column.key} className={isNumber(column) ? styles.number : undefined}>
                  {cell(column, row[at] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.key} scope="row">
                    Totaal
                  </th>
                ) : (
                  <td key={column.key} className={isNumber(column) ? styles.number : undefined}>
                    {cell(column, totals[at] ?? null)}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
