import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { averagePercent, batteriesOf, LOW_BELOW_PERCENT } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { formatLastSeen, formatPercent, shortStatus } from '#shared/domain/nl.ts';
import { freshnessOf } from '#shared/domain/staleness.ts';
import { StatusIcon } from '#web/ui/status-icon.tsx';
import type { MachineAvailability } from './free-machines.ts';
import styles from './machine-row.module.css';

/** Height of a row: large enough to touch, and for two lines of text. */
export const MACHINE_ROW_REM = 3.25;

type MachineRowProps = {
  readonly entry: LiveEntry;
  /** The distance, or the text that there is no position; undefined to show neither. */
  readonly place?: string | undefined;
  /** Whether the machine is free, busy or on a project; undefined while this is not loaded. */
  readonly deployment?: MachineAvailability | undefined;
  readonly now: number;
  /** A function makes the row a button that calls it; a path makes the row a link. */
  readonly onChoose: (() => void) | { readonly to: string };
};

/** Row of a machine in a list of the map (nearby machines, or machines at one spot): name, status, charge, and when last seen if stale. */
export function MachineRow({ entry, place, deployment, now, onChoose }: MachineRowProps): ReactNode {
  const { metadata, liveData } = entry;
  const sighting = freshnessOf(liveData.GMT_UNIX, now);
  const stale = sighting !== 'fresh';
  const status = machineStatus(liveData);
  const charge = averagePercent(batteriesOf(liveData, metadata.batteries));
  const content = (
    <>
      <span className={`${styles.alias} cut strong`}>{metadata.alias}</span>
      {place !== undefined && <span className={`${styles.place} cut smaller quiet`}>{place}</span>}
      <span
        className={`${styles.charge} small strong right`}
        data-low={charge !== undefined && charge < LOW_BELOW_PERCENT}
      >
        {formatPercent(charge)}
      </span>
      <span className={`${styles.state} cut smaller quiet`}>
        {sighting === 'stale' ? (
          <span>Laatst gezien: {formatLastSeen(liveData.GMT_UNIX, now)}</span>
        ) : (
          <span aria-hidden="true">{shortStatus(status, sighting)}</span>
        )}
        {deployment?.kind === 'free' && <span className={`${styles.free} px-2 ml-1 strong`}>vrij</span>}
        {deployment?.kind === 'project' && <span>, op {deployment.name}</span>}
      </span>
      <span className={styles.icon}>
        <StatusIcon status={status} sighting={sighting} />
      </span>
    </>
  );
  return typeof onChoose === 'function' ? (
    <button type="button" className={`${styles.row} list-row small`} data-stale={stale} onClick={onChoose}>
      {content}
    </button>
  ) : (
    <Link className={`${styles.row} list-row small`} data-stale={stale} to={onChoose.to}>
      {content}
    </Link>
  );
}
