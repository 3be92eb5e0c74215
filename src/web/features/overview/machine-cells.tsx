import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Attention } from '#shared/domain/attention.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { BatteryLevels } from '#web/machines/battery-levels.tsx';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { MachinePhoto } from '#web/machines/machine-photo.tsx';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import { CompareCheckbox } from './compare-choice.tsx';
import {
  batteriesIn,
  type CellText,
  type ColumnKey,
  chargeLastsUntilCell,
  chargeTimeCell,
  distanceCell,
  energyTodayCell,
  type FleetRow,
  type FleetRowContext,
  fleetFigureOf,
  lastSeenText,
  maintenanceOf,
  placeCell,
  runningTimeTodayCell,
  wasSeen,
  workTimeCell,
} from './fleet-row.ts';
import styles from './machine-cells.module.css';

type Of = { readonly row: FleetRow; readonly known: FleetRowContext };

/** Shows photo, name, brand and model; the name links to the machine's page. */
export function MachineName({ row, known }: Of): ReactNode {
  const { serialNumber, alias, brand, model } = row.entry.metadata;
  return (
    <span className="row gap-3 shrink">
      <CompareCheckbox serial={serialNumber} alias={alias}>
        <MachinePhoto serial={serialNumber} alias={alias} hash={fleetFigureOf(row, known)?.photo} />
      </CompareCheckbox>
      <span className={`${styles.names} stack gap-0 shrink tight`}>
        <Link
          to={`/machine/${encodeURIComponent(serialNumber)}`}
          className={`${styles.alias} clip inherit bold`}
        >
          {alias}
        </Link>
        <span className={`${styles.quiet} clip quiet smaller`}>
          {[brand, model].filter(Boolean).join(' ')}
        </span>
        <span className={styles.labels}>
          <LabelChips serial={serialNumber} />
        </span>
      </span>
    </span>
  );
}

/** Shows a figure, with its additional text or the reason why it is unknown in small type. */
export const FigureCell = ({ text: { value, more } }: { readonly text: CellText }): ReactNode => (
  <span className="stack gap-0 shrink tight">
    {value !== '' && (
      <span className={`${styles.value} cut strong`} title={value}>
        {value}
      </span>
    )}
    {more !== undefined && <span className={`${styles.quiet} clip quiet smaller`}>{more}</span>}
  </span>
);

/** Shows the mean level and the level of each battery. For a silent machine these are the last known levels, greyed. */
export function BatteriesCell({ row }: Pick<Of, 'row'>): ReactNode {
  const packs = batteriesIn(row);
  if (packs.length === 0) return <FigureCell text={{ value: '--', more: "meldt geen accu's" }} />;
  return <BatteryLevels packs={packs} />;
}

/** Shows when the next maintenance is due; overdue maintenance and maintenance that is due soon stand out. */
export function NextMaintenanceCell({ row, known }: Of): ReactNode {
  const { state, ...text } = maintenanceOf(row, known);
  return (
    <span className={styles.maintenance} data-state={state}>
      <FigureCell text={text} />
    </span>
  );
}

/** Shows the reasons for attention as text. */
export const AttentionReasons = ({ row }: Pick<Of, 'row'>): ReactNode => (
  <ReasonTexts of={row.attention} linkedFrom={row.entry.metadata.serialNumber} />
);

/**
 * The reasons for attention beside a machine's status, without 'never seen', which the status already says.
 * @param isLinked whether each reason links to the page where it is solved
 */
export const ReasonsByStatus = ({
  row,
  isLinked = false,
}: Pick<Of, 'row'> & { readonly isLinked?: boolean }): ReactNode => (
  <ReasonTexts
    of={wasSeen(row) ? row.attention : row.attention.filter(({ kind }) => kind !== 'silent')}
    linkedFrom={isLinked ? row.entry.metadata.serialNumber : undefined}
  />
);

type ReasonTextsProps = {
  readonly of: readonly Attention[];
  /** Serial number of the machine whose pages the reasons link to; undefined for no links. */
  readonly linkedFrom: string | undefined;
};

function ReasonTexts({ of, linkedFrom }: ReasonTextsProps): ReactNode {
  if (of.length === 0) return null;
  const shown = of.map(({ words }, n) => (n === 0 ? capital(words) : words));
  return (
    <span className={styles.reasons} title={shown.join(', ')}>
      {of.map(({ kind }, n) => (
        <Fragment key={kind}>
          {n > 0 && ', '}
          {kind === 'logs-empty' && linkedFrom !== undefined ? (
            <Link className="inherit" to={`/machine/edit/${encodeURIComponent(linkedFrom)}`}>
              {shown[n]}
            </Link>
          ) : (
            shown[n]
          )}
        </Fragment>
      ))}
    </span>
  );
}

const capital = (words: string): string => `${words[0]?.toLocaleUpperCase('nl') ?? ''}${words.slice(1)}`;

export const StatusCell = ({ row }: Pick<Of, 'row'>): ReactNode => (
  <span className="tight">
    <StatusLabel
      status={machineStatus(row.entry.liveData)}
      sighting={row.state !== 'silent' ? 'fresh' : wasSeen(row) ? 'stale' : 'never'}
    />
  </span>
);

/** Renders the cell of each column. */
export const CELL_RENDERERS: Readonly<Record<ColumnKey, (of: Of) => ReactNode>> = {
  machine: ({ row, known }) => <MachineName row={row} known={known} />,
  aandacht: ({ row }) => <AttentionReasons row={row} />,
  status: ({ row }) => <StatusCell row={row} />,
  accu: ({ row }) => <BatteriesCell row={row} />,
  werktijd: ({ row, known }) => <FigureCell text={workTimeCell(row, known)} />,
  genoeg: ({ row, known }) => <FigureCell text={chargeLastsUntilCell(row, known)} />,
  laadtijd: ({ row, known }) => <FigureCell text={chargeTimeCell(row, known)} />,
  uren: ({ row, known }) => <FigureCell text={runningTimeTodayCell(row, known)} />,
  kwh: ({ row, known }) => <FigureCell text={energyTodayCell(row, known)} />,
  plaats: ({ row, known }) => <FigureCell text={placeCell(row, known)} />,
  afstand: ({ row, known }) => <FigureCell text={distanceCell(row, known)} />,
  onderhoud: ({ row, known }) => <NextMaintenanceCell row={row} known={known} />,
  gezien: ({ row, known }) => lastSeenText(row, known),
};
