import { memo, type ReactNode } from 'react';
import { batteryBarsHeightRem } from '#web/machines/battery-levels.tsx';
import { useLabels } from '#web/machines/labels.ts';
import { MachineStateLine, StatusCard } from '#web/machines/status-card.tsx';
import { VirtualCards } from '#web/ui/virtual-cards.tsx';
import {
  batteriesIn,
  chargeLastsUntilCell,
  chargeTimeCell,
  distanceCell,
  energyTodayCell,
  type FleetRow,
  type FleetRowContext,
  lastSeenText,
  placeCell,
  runningTimeTodayCell,
  wasSeen,
  workTimeCell,
} from './fleet-row.ts';
import styles from './machine-cards.module.css';
import {
  BatteriesCell,
  FigureCell,
  MachineName,
  NextMaintenanceCell,
  ReasonsByStatus,
  StatusCell,
} from './machine-cells.tsx';

/** Height of a card without its batteries, labels and reasons for attention. */
const CARD_REM = 18.5;
const LABELS_REM = 1.5;
/** Height of the reasons for attention: two lines. */
const REASONS_REM = 2.75;

type MachineCardsProps = {
  readonly rows: readonly FleetRow[];
  readonly known: FleetRowContext;
  /** Number of cards beside each other. */
  readonly across: number;
};

const serialOf = ({ entry }: FleetRow): string => entry.metadata.serialNumber;

/** Machines as cards. */
export function MachineCards({ rows, known, across }: MachineCardsProps): ReactNode {
  const { ofMachine } = useLabels();
  const isLabelled = rows.some((row) => ofMachine(serialOf(row)).length > 0);
  const hasReasons = rows.some(({ attention }) => attention.length > 0);
  const most = rows.reduce((sum, row) => Math.max(sum, batteriesIn(row).length), 1);
  return (
    <VirtualCards
      items={rows}
      label="Machines"
      keyOf={serialOf}
      rem={
        CARD_REM + batteryBarsHeightRem(most) + (isLabelled ? LABELS_REM : 0) + (hasReasons ? REASONS_REM : 0)
      }
      across={across}
    >
      {(row) => <MachineCard row={row} known={known} />}
    </VirtualCards>
  );
}

const MachineCard = memo(
  ({ row, known }: { readonly row: FleetRow; readonly known: FleetRowContext }): ReactNode => (
    <StatusCard isStale={row.state === 'silent'}>
      <h2 className="large">
        <MachineName row={row} known={known} />
      </h2>
      <MachineStateLine
        status={<StatusCell row={row} />}
        seen={wasSeen(row) ? lastSeenText(row, known) : undefined}
      />
      <div className={`${styles.reasons} unless-empty`}>
        <ReasonsByStatus row={row} isLinked />
      </div>
      <BatteriesCell row={row} />
      <dl className={styles.figures}>
        <div>
          <dt className="smaller tight">Resterende werktijd</dt>
          <dd>
            <FigureCell text={workTimeCell(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Genoeg</dt>
          <dd>
            <FigureCell text={chargeLastsUntilCell(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Resterende laadtijd</dt>
          <dd>
            <FigureCell text={chargeTimeCell(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Gedraaid vandaag</dt>
          <dd>
            <FigureCell text={runningTimeTodayCell(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">kWh vandaag</dt>
          <dd>
            <FigureCell text={energyTodayCell(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Onderhoud</dt>
          <dd>
            <NextMaintenanceCell row={row} known={known} />
          </dd>
        </div>
      </dl>
      <p className="cut mt-auto quiet">
        {placeCell(row, known).value === '--' ? 'Geen positie' : placeCell(row, known).value}
        {known.own && distanceCell(row, known).value !== '--' && (
          <span>, {distanceCell(row, known).value}</span>
        )}
      </p>
    </StatusCard>
  ),
);
