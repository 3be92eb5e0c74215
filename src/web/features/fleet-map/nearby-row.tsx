import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { distance } from '#shared/domain/nl.ts';
import { positionOf } from '#shared/domain/position.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { entryPath } from '#web/machines/entry-path.ts';
import { StatusIcon } from '#web/ui/status-icon.tsx';
import styles from './nearby-row.module.css';

/** Height of a row: a finger's size. */
export const ROW_REM = 2.75;

type NearbyRowProps = {
  readonly entry: LiveEntry;
  /** undefined: not known. */
  readonly metres: number | undefined;
  readonly now: number;
  readonly onChoose: (entry: LiveEntry) => void;
};

/** Alias and distance (MAP-08). What has no place on the map leads to its page instead, and says why. */
export function NearbyRow({ entry, metres, now, onChoose }: NearbyRowProps): ReactNode {
  const { metadata, liveData } = entry;
  const stale = isStale(liveData.GMT_UNIX, now);
  const isPlaced = positionOf(liveData) !== undefined;
  const place = isPlaced ? metres !== undefined && distance(metres) : 'geen positie';
  const content = (
    <>
      <span className={styles.alias}>{metadata.alias}</span>
      {place && <span className={styles.place}>{place}</span>}
      <span className={styles.icon}>
        <StatusIcon status={machineStatus(liveData)} stale={stale} />
      </span>
    </>
  );
  return isPlaced ? (
    <button type="button" className={styles.row} data-stale={stale} onClick={() => onChoose(entry)}>
      {content}
    </button>
  ) : (
    <Link className={styles.row} data-stale={stale} to={entryPath(metadata)}>
      {content}
    </Link>
  );
}
