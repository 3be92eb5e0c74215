import { type ReactNode, useEffect, useRef, useState } from 'react';
import { averagePercent } from '#shared/domain/battery.ts';
import { clockTime, formatNumber, formatPercent } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { remPx } from '#web/lib/rem.ts';
import { Outage } from '#web/live/outage.tsx';
import { STATE_STRIP_LABELS, STRIP_STATES, type StripCounts } from '#web/machines/fleet-filter.ts';
import {
  batteriesIn,
  chargeTimeCell,
  type FleetRow,
  type FleetRowContext,
  workTimeCell,
} from './fleet-row.ts';
import { ReasonsByStatus, StatusCell } from './machine-cells.tsx';
import styles from './wall.module.css';

/** Each page is shown for this long, so that people can read it from across a room. */
const TURN_MS = 15_000;
/** Height of a row, and the total height of the elements above and below the rows. */
const ROW_REM = 6;
const REST_REM = 15;

type WallProps = {
  readonly rows: readonly FleetRow[];
  readonly counts: StripCounts;
  readonly known: FleetRowContext;
  /** Called on Escape. */
  readonly onLeave: () => void;
};

/** The overview for a screen on the wall: large type, without buttons, turning its pages automatically. Escape leaves it. */
export function WallDisplay({ rows, counts, known, onLeave }: WallProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const perPage = usePerPage();
  const pages = Math.max(1, Math.ceil(rows.length / perPage));
  const page = usePage() % pages;
  const now = useNow(10_000);
  return (
    <dialog ref={dialog} className={styles.wall} aria-label="Overzicht, muurscherm" onClose={onLeave}>
      <header className="row gap-6 between">
        <dl className={`${styles.counts} cluster gap-2-6 stretch`}>
          {STRIP_STATES.map((state) => (
            <div key={state} data-state={state}>
              <dt>{STATE_STRIP_LABELS[state]}</dt>
              <dd>{formatNumber(counts[state])}</dd>
            </div>
          ))}
        </dl>
        <p className={`${styles.clock} bold`}>{clockTime(now)}</p>
      </header>
      <ul>
        {rows.slice(page * perPage, (page + 1) * perPage).map((row) => (
          <WallRow key={row.entry.metadata.serialNumber} row={row} known={known} />
        ))}
      </ul>
      <div className={styles.page}>
        <div role="status">
          <Outage />
        </div>
        <p>
          Pagina {page + 1} van {pages}
        </p>
      </div>
    </dialog>
  );
}

function WallRow({ row, known }: { readonly row: FleetRow; readonly known: FleetRowContext }): ReactNode {
  const charge = chargeTimeCell(row, known);
  const isCharging = row.state === 'charging';
  const { value, more } = isCharging ? charge : workTimeCell(row, known);
  return (
    <li className={`${styles.row} gap-6 middle clip strong`} data-stale={row.state === 'silent'}>
      <span className={`${styles.name} stack gap-0 cut`}>
        <strong>{row.entry.metadata.alias}</strong>
        <span>{[row.entry.metadata.brand, row.entry.metadata.model].filter(Boolean).join(' ')}</span>
      </span>
      <span className={`${styles.percent} bold right`}>
        {formatPercent(averagePercent(batteriesIn(row)))}
      </span>
      <StatusCell row={row} />
      <span className={`${styles.time} stack gap-0 cut`}>
        {value}
        <span>{isCharging ? (more ?? 'tot vol') : (more ?? 'werktijd')}</span>
      </span>
      <ReasonsByStatus row={row} />
    </li>
  );
}

/** Returns a page number that increases every TURN_MS. */
function usePage(): number {
  const [page, setPage] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPage((was) => was + 1), TURN_MS);
    return () => clearInterval(timer);
  }, []);
  return page;
}

/** Returns the number of rows that fit. */
function usePerPage(): number {
  const fitting = (): number => Math.max(1, Math.floor((window.innerHeight / remPx() - REST_REM) / ROW_REM));
  const [rows, setRows] = useState(fitting);
  useEffect(() => {
    const onResize = (): void => setRows(fitting());
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  });
  return rows;
}
