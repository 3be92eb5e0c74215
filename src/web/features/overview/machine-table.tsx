import { type FocusEvent, memo, type ReactNode, useRef, useState } from 'react';
import type { FleetSort } from '#web/machines/fleet-filter.ts';
import { useVisibleRows } from '#web/ui/visible-rows.ts';
import { COLUMNS, type ColumnKey, type FleetRow, type FleetRowContext } from './fleet-row.ts';
import { CELL_RENDERERS } from './machine-cells.tsx';
import styles from './machine-table.module.css';

/** Height of a row: two lines of text, and a photo. */
const ROW_REM = 4.5;

type MachineTableProps = {
  readonly rows: readonly FleetRow[];
  readonly known: FleetRowContext;
  readonly columns: readonly ColumnKey[];
  readonly sort: FleetSort;
  /** Called on a click on a column's heading; a second click reverses the order. */
  readonly onColumn: (column: ColumnKey) => void;
};

/** A virtual table of machines that scrolls with the page. Renders only the visible rows and the focused one. */
export function MachineTable({ rows, known, columns, sort, onColumn }: MachineTableProps): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<string>();
  const focusedAt =
    focused === undefined ? -1 : rows.findIndex(({ entry }) => entry.metadata.serialNumber === focused);
  const shown = useVisibleRows(body, rows.length, ROW_REM, focusedAt);
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
  };
  return (
    <table className={`${styles.table} surface full`} aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Machines</caption>
      <thead>
        <tr aria-rowindex={1}>
          {COLUMNS.filter(({ key }) => columns.includes(key)).map(({ key, label }) => (
            <Head key={key} of={key} label={label} sort={sort} onColumn={onColumn} />
          ))}
        </tr>
      </thead>
      <tbody ref={body} onBlur={onBlur} onFocus={({ target }) => setFocused(serialOf(target))}>
        {shown.flatMap((at, n) => {
          const row = rows[at] as FleetRow;
          const missing = at - (n === 0 ? 0 : (shown[n - 1] as number) + 1);
          return [
            missing > 0 && <Gap key={`before ${at}`} rows={missing} />,
            <MachineRow
              key={row.entry.metadata.serialNumber}
              row={row}
              known={known}
              columns={columns}
              at={at}
            />,
          ];
        })}
        <Gap rows={rows.length - 1 - (shown.at(-1) ?? rows.length - 1)} />
      </tbody>
    </table>
  );
}

const serialOf = (target: Element): string | undefined =>
  target.closest<HTMLElement>('[data-serial]')?.dataset.serial;

/** Takes the space of rows that are not rendered. */
const Gap = ({ rows }: { readonly rows: number }): ReactNode =>
  rows > 0 && <tr style={{ height: `${rows * ROW_REM}rem` }} />;

type HeadProps = {
  readonly of: ColumnKey;
  readonly label: string;
  readonly sort: FleetSort;
  readonly onColumn: (column: ColumnKey) => void;
};

function Head({ of, label, sort, onColumn }: HeadProps): ReactNode {
  const isSorted = sort.by === of;
  return (
    <th
      scope="col"
      data-column={of}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className={styles.sort} onClick={() => onColumn(of)}>
        {label}
        <svg
          viewBox="0 0 10 14"
          width="10"
          height="14"
          aria-hidden="true"
          data-order={isSorted && (sort.isDescending ? 'down' : 'up')}
        >
          <path d="M5 1 9 6H1Z" />
          <path d="M5 13 1 8h8Z" />
        </svg>
      </button>
    </th>
  );
}

type MachineRowProps = {
  readonly row: FleetRow;
  readonly known: FleetRowContext;
  readonly columns: readonly ColumnKey[];
  readonly at: number;
};

const MachineRow = memo(
  ({ row, known, columns, at }: MachineRowProps): ReactNode => (
    <tr
      className={`${styles.row} hover`}
      style={{ height: `${ROW_REM}rem` }}
      data-serial={row.entry.metadata.serialNumber}
      data-stale={row.state === 'silent'}
      aria-rowindex={at + 2}
    >
      {COLUMNS.filter(({ key }) => columns.includes(key)).map(({ key }) =>
        key === 'machine' ? (
          <th key={key} scope="row">
            <div className={styles.cell}>{CELL_RENDERERS[key]({ row, known })}</div>
          </th>
        ) : (
          <td key={key}>
            <div className={styles.cell}>{CELL_RENDERERS[key]({ row, known })}</div>
          </td>
        ),
      )}
    </tr>
  ),
);
