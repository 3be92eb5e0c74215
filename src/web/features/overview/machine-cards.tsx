import { memo, type ReactNode } from 'react';
import { packsRem } from '#web/machines/battery-levels.tsx';
import { useLabels } from '#web/machines/labels.ts';
import { StateLine, StatusCard } from '#web/machines/status-card.tsx';
import { VirtualCards } from '#web/ui/virtual-cards.tsx';
import {
  batteriesIn,
  chargeLastsUntilCell,
  chargeTime,
  distanceOf,
  energyToday,
  type FleetRow,
  lastSeenText,
  placeOf,
  type RowContext,
  runToday,
  wasSeen,
  workTime,
} from './fleet-row.ts';
import styles from './machine-cards.module.css';
import {
  Batteries,
  Figure,
  MachineName,
  MaintenanceNext,
  ReasonsByStatus,
  Status,
} from './machine-cells.tsx';

/** Height of a card without its batteries, labels and reasons for attention. */
const CARD_REM = 18.5;
const LABELS_REM = 1.5;
/** Height of the reasons for attention: two lines. */
const REASONS_REM = 2.75;

type MachineCardsProps = {
  readonly rows: readonly FleetRow[];
  readonly known: RowContext;
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
      rem={CARD_REM + packsRem(most) + (isLabelled ? LABELS_REM : 0) + (hasReasons ? REASONS_REM : 0)}
      across={across}
    >
      {(row) => <MachineCard row={row} known={known} />}
    </VirtualCards>
  );
}

const MachineCard = memo(
  ({ row, known }: { readonly row: FleetRow; readonly known: RowContext }): ReactNode => (
    <StatusCard isStale={row.state === 'silent'}>
      <h2 className="large">
        <MachineName row={row} known={known} />
      </h2>
      <StateLine status={<Status row={row} />} seen={wasSeen(row) ? lastSeenText(row, known) : undefined} />
      <div className={`${styles.reasons} unless-empty`}>
        <ReasonsByStatus row={row} isLinked />
      </div>
      <Batteries row={row} />
      <dl className={styles.figures}>
        <div>
          <dt className="smaller tight">Resterende werktijd</dt>
          <dd>
            <Figure text={workTime(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Genoeg</dt>
          <dd>
            <Figure text={chargeLastsUntilCell(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Resterende laadtijd</dt>
          <dd>
            <Figure text={chargeTime(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Gedraaid vandaag</dt>
          <dd>
            <Figure text={runToday(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">kWh vandaag</dt>
          <dd>
            <Figure text={energyToday(row, known)} />
          </dd>
        </div>
        <div>
          <dt className="smaller tight">Onderhoud</dt>
          <dd>
            <MaintenanceNext row={row} known={known} />
          </dd>
        </div>
      </dl>
      <p className="cut mt-auto quiet">
        {placeOf(row, known).value === '--' ? 'Geen positie' : placeOf(row, known).value}
        {known.own && distanceOf(row, known).value !== '--' && <span>, {distanceOf(row, known).value}</span>}
      </p>
    </StatusCard>
  ),
);
