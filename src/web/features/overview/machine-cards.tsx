import { type FocusEvent, memo, type ReactNode, useRef, useState } from 'react';
import { useLabels } from '#web/machines/labels.ts';
import { useRowsInSight } from '#web/ui/rows-in-sight.ts';
import {
  batteriesIn,
  chargeTime,
  distanceOf,
  energyToday,
  type Known,
  placeOf,
  type Row,
  runToday,
  seenOf,
  workTime,
} from './fleet-row.ts';
import styles from './machine-cards.module.css';
import { Batteries, Figure, MachineName, Reasons, Status } from './machine-cells.tsx';

/** Of a card without its batteries, and of two of those beside or below each other. */
const CARD_REM = 18.25;
const PACKS_REM = 1.25;
const LABELS_REM = 1.5;

type MachineCardsProps = {
  readonly rows: readonly Row[];
  readonly known: Known;
  /** Beside each other. */
  readonly across: number;
};

/** Machines as cards that scroll with the page; only those in sight exist. */
export function MachineCards({ rows, known, across }: MachineCardsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string>();
  const focusedAt =
    focused === undefined ? -1 : rows.findIndex(({ entry }) => entry.metadata.serialNumber === focused);
  const most = rows.reduce((sum, row) => Math.max(sum, batteriesIn(row).length), 1);
  const { ofMachine } = useLabels();
  const isLabelled = rows.some(({ entry }) => ofMachine(entry.metadata.serialNumber).length > 0);
  const rem = CARD_REM + (most > 2 ? Math.ceil(most / 2) : most) * PACKS_REM + (isLabelled ? LABELS_REM : 0);
  const lines = Math.ceil(rows.length / across);
  const shown = useRowsInSight(list, lines, rem, focusedAt < 0 ? -1 : Math.floor(focusedAt / across));
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
  };
  return (
    <ul
      ref={list}
      className={styles.cards}
      aria-label="Machines"
      style={{ height: `${lines * rem}rem` }}
      onBlur={onBlur}
    >
      {shown.flatMap((line) =>
        rows.slice(line * across, (line + 1) * across).map((row, n) => (
          <li
            key={row.entry.metadata.serialNumber}
            className={styles.place}
            style={{
              top: `${line * rem}rem`,
              left: `${(n / across) * 100}%`,
              width: `${100 / across}%`,
              height: `${rem}rem`,
            }}
            aria-setsize={rows.length}
            aria-posinset={line * across + n + 1}
            onFocus={() => setFocused(row.entry.metadata.serialNumber)}
          >
            <MachineCard row={row} known={known} />
          </li>
        )),
      )}
    </ul>
  );
}

const MachineCard = memo(
  ({ row, known }: { readonly row: Row; readonly known: Known }): ReactNode => (
    <article className={styles.card} data-stale={row.state === 'silent'}>
      <h2 className={styles.head}>
        <MachineName row={row} known={known} />
      </h2>
      <p className={styles.state}>
        <Status row={row} />
        <span className={styles.seen}>Laatst gezien: {seenOf(row, known)}</span>
      </p>
      <Reasons row={row} />
      <Batteries row={row} />
      <dl className={styles.figures}>
        <div>
          <dt>Resterende werktijd</dt>
          <dd>
            <Figure told={workTime(row, known)} />
          </dd>
        </div>
        <div>
          <dt>Resterende laadtijd</dt>
          <dd>
            <Figure told={chargeTime(row, known)} />
          </dd>
        </div>
        <div>
          <dt>Gedraaid vandaag</dt>
          <dd>
            <Figure told={runToday(row, known)} />
          </dd>
        </div>
        <div>
          <dt>kWh vandaag</dt>
          <dd>
            <Figure told={energyToday(row, known)} />
          </dd>
        </div>
      </dl>
      <p className={styles.where}>
        {placeOf(row, known).value === '--' ? 'Geen positie' : placeOf(row, known).value}
        {known.own && distanceOf(row, known).value !== '--' && <span>, {distanceOf(row, known).value}</span>}
      </p>
    </article>
  ),
);
