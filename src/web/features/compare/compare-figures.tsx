import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ComparedFigures } from '#shared/contract/compare.ts';
import { isIncomplete } from '#shared/domain/completeness.ts';
import { cellText, headingOf } from '#shared/domain/reports/column.ts';
import { useMedia } from '#web/lib/use-media.ts';
import styles from './compare-page.module.css';

/** Screens on which the figures fit in a table. */
const WIDE = '(min-width: 75em)';

type Column = ComparedFigures['columns'][number];
type Row = ComparedFigures['rows'][number];

/** The figures of a period: a table with a row per machine, on narrow screens a block per machine. */
export function FiguresTable({
  figures: { columns, rows, notes },
}: {
  readonly figures: ComparedFigures;
}): ReactNode {
  const isWide = useMedia(WIDE);
  const shown = columns
    .map((column, at) => ({ column, at }))
    .filter(({ column: { key } }) => key !== 'alias' && key !== 'serial');
  const textOf = (row: Row, key: string): string =>
    String(row[columns.findIndex((column) => column.key === key)] ?? '');
  const machine = (row: Row): ReactNode => (
    <>
      <Link to={`/machine/${encodeURIComponent(textOf(row, 'serial'))}`}>
        {textOf(row, 'alias') || textOf(row, 'serial')}
      </Link>
      <span className="quiet">{textOf(row, 'serial')}</span>
    </>
  );
  return (
    <>
      {isWide ? (
        <table className={`${styles.figures} table numbers small`}>
          <caption className="sr-only">Cijfers per machine</caption>
          <thead>
            <tr>
              <th scope="col">Machine</th>
              {shown.map(({ column }) => (
                <th key={column.key} scope="col">
                  {headingOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={textOf(row, 'serial')}>
                <th scope="row">{machine(row)}</th>
                {shown.map(({ column, at }) => (
                  <td key={column.key}>
                    <Cell column={column} value={row[at] ?? null} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <ul className={`${styles.blocks} stack gap-4`} aria-label="Cijfers per machine">
          {rows.map((row) => (
            <li className="pt-2 line-above" key={textOf(row, 'serial')}>
              <h3 className="cluster gap-x-3 stretch">{machine(row)}</h3>
              <dl className="tiles mt-2">
                {shown.map(({ column, at }) => (
                  <div key={column.key}>
                    <dt className="smaller tight">{headingOf(column)}</dt>
                    <dd>
                      <Cell column={column} value={row[at] ?? null} />
                    </dd>
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.notes} aria-label="Bij deze cijfers">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  );
}

function Cell({ column, value }: { readonly column: Column; readonly value: Row[number] }): ReactNode {
  const text = cellText(column, value);
  const isGap = column.kind === 'share' && typeof value === 'number' && isIncomplete(value / 100);
  if (text === '') return column.key === 'status' ? 'definitief' : '--';
  return isGap ? <strong className="alarming strong">{text} onvolledig</strong> : text;
}
