import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { lastSeen } from '#shared/domain/nl.ts';
import type { Judged } from '#web/machines/fleet-filter.ts';
import { LabelChips } from '#web/machines/label-chips.tsx';
import { BatteryBars } from '#web/ui/battery-bars.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import styles from './overview-page.module.css';

const CARD_REM = 10;

/** Machines as cards, one below the other. */
export function MachineCards({
  rows,
  now,
}: {
  readonly rows: readonly Judged<LiveEntry>[];
  readonly now: number;
}): ReactNode {
  return (
    <div className={styles.cards}>
      <RowList items={rows} keyOf={({ entry }) => entry.metadata.serialNumber} rowRem={CARD_REM}>
        {(row) => <MachineCard row={row} seen={lastSeen(row.entry.liveData.GMT_UNIX, now)} />}
      </RowList>
    </div>
  );
}

type MachineCardProps = { readonly row: Judged<LiveEntry>; readonly seen: string };

const MachineCard = memo(({ row: { entry, state, attention }, seen }: MachineCardProps): ReactNode => {
  const { metadata, liveData } = entry;
  const isStale = state === 'silent';
  return (
    <article className={styles.card} data-stale={isStale}>
      <h2>
        <Link to={`/machine/${encodeURIComponent(metadata.serialNumber)}`}>{metadata.alias}</Link>
      </h2>
      <p>{[metadata.brand, metadata.model].filter(Boolean).join(' ')}</p>
      <p>
        <StatusLabel status={machineStatus(liveData)} stale={isStale} /> Laatst gezien: {seen}
      </p>
      <LabelChips serial={metadata.serialNumber} />
      <BatteryBars batteries={batteriesOf(liveData, metadata.batteries)} />
      {attention.length > 0 && (
        <p className={styles.attention}>{attention.map(({ words }) => words).join('; ')}</p>
      )}
    </article>
  );
});
