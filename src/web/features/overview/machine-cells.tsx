import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Attention } from '#shared/domain/attention.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { BatteryLevels } from '#web/machines/battery-levels.tsx';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { MachinePhoto } from '#web/machines/machine-photo.tsx';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import { CompareTick } from './compare-choice.tsx';
import {
  batteriesIn,
  type ColumnKey,
  chargeTime,
  distanceOf,
  energyToday,
  enough,
  figureOf,
  type Known,
  maintenanceOf,
  placeOf,
  type Row,
  runToday,
  seenOf,
  type Told,
  wasSeen,
  workTime,
} from './fleet-row.ts';
import styles from './machine-cells.module.css';

type Of = { readonly row: Row; readonly known: Known };

/** Photo, name, brand and model; the name leads to the machine's page. */
export function MachineName({ row, known }: Of): ReactNode {
  const { serialNumber, alias, brand, model } = row.entry.metadata;
  return (
    <span className={styles.machine}>
      <CompareTick serial={serialNumber} alias={alias}>
        <MachinePhoto serial={serialNumber} alias={alias} hash={figureOf(row, known)?.photo} />
      </CompareTick>
      <span className={styles.names}>
        <Link to={`/machine/${encodeURIComponent(serialNumber)}`} className={styles.alias!}>
          {alias}
        </Link>
        <span className={styles.quiet}>{[brand, model].filter(Boolean).join(' ')}</span>
        <span className={styles.labels}>
          <LabelChips serial={serialNumber} />
        </span>
      </span>
    </span>
  );
}

/** A figure, and small what else is to be said of it; or why it is not there. */
export const Figure = ({ told: { value, more } }: { readonly told: Told }): ReactNode => (
  <span className={styles.figure}>
    {value !== '' && (
      <span className={styles.value} title={value}>
        {value}
      </span>
    )}
    {more !== undefined && <span className={styles.quiet}>{more}</span>}
  </span>
);

/** The mean and each battery; of a silent machine those of then, greyed. */
export function Batteries({ row }: Pick<Of, 'row'>): ReactNode {
  const packs = batteriesIn(row);
  if (packs.length === 0) return <Figure told={{ value: '--', more: "meldt geen accu's" }} />;
  return <BatteryLevels packs={packs} />;
}

/** When maintenance is due first: what is overdue or due soon stands out. */
export function MaintenanceNext({ row, known }: Of): ReactNode {
  const { state, ...told } = maintenanceOf(row, known);
  return (
    <span className={styles.maintenance} data-state={state}>
      <Figure told={told} />
    </span>
  );
}

/** Why it wants attention, in words. */
export const Reasons = ({ row }: Pick<Of, 'row'>): ReactNode => (
  <Words of={row.attention} linkedFrom={row.entry.metadata.serialNumber} />
);

/**
 * The reasons beside a machine's status, which already says that the machine was never seen.
 * @param isLinked a reason leads to the page where it is solved
 */
export const ReasonsByStatus = ({
  row,
  isLinked = false,
}: Pick<Of, 'row'> & { readonly isLinked?: boolean }): ReactNode => (
  <Words
    of={wasSeen(row) ? row.attention : row.attention.filter(({ kind }) => kind !== 'silent')}
    linkedFrom={isLinked ? row.entry.metadata.serialNumber : undefined}
  />
);

type WordsProps = {
  readonly of: readonly Attention[];
  /** Serial number of the machine whose pages the reasons lead to; undefined: no links. */
  readonly linkedFrom: string | undefined;
};

function Words({ of, linkedFrom }: WordsProps): ReactNode {
  if (of.length === 0) return null;
  const shown = of.map(({ words }, n) => (n === 0 ? capital(words) : words));
  return (
    <span className={styles.reasons} title={shown.join(', ')}>
      {of.map(({ kind }, n) => (
        <Fragment key={kind}>
          {n > 0 && ', '}
          {kind === 'logs-empty' && linkedFrom !== undefined ? (
            <Link to={`/machine/edit/${encodeURIComponent(linkedFrom)}`}>{shown[n]}</Link>
          ) : (
            shown[n]
          )}
        </Fragment>
      ))}
    </span>
  );
}

const capital = (words: string): string => `${words[0]?.toLocaleUpperCase('nl') ?? ''}${words.slice(1)}`;

export const Status = ({ row }: Pick<Of, 'row'>): ReactNode => (
  <span className={styles.status}>
    <StatusLabel
      status={machineStatus(row.entry.liveData)}
      sighting={row.state !== 'silent' ? 'fresh' : wasSeen(row) ? 'stale' : 'never'}
    />
  </span>
);

/** What stands in each column. */
export const CELLS: Readonly<Record<ColumnKey, (of: Of) => ReactNode>> = {
  machine: ({ row, known }) => <MachineName row={row} known={known} />,
  aandacht: ({ row }) => <Reasons row={row} />,
  status: ({ row }) => <Status row={row} />,
  accu: ({ row }) => <Batteries row={row} />,
  werktijd: ({ row, known }) => <Figure told={workTime(row, known)} />,
  genoeg: ({ row, known }) => <Figure told={enough(row, known)} />,
  laadtijd: ({ row, known }) => <Figure told={chargeTime(row, known)} />,
  uren: ({ row, known }) => <Figure told={runToday(row, known)} />,
  kwh: ({ row, known }) => <Figure told={energyToday(row, known)} />,
  plaats: ({ row, known }) => <Figure told={placeOf(row, known)} />,
  afstand: ({ row, known }) => <Figure told={distanceOf(row, known)} />,
  onderhoud: ({ row, known }) => <MaintenanceNext row={row} known={known} />,
  gezien: ({ row, known }) => seenOf(row, known),
};
