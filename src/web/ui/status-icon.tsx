import type { ReactNode } from 'react';
import type { MachineStatus } from '#shared/domain/machine-status.ts';
import { lastStatusText, shortStatus, statusText } from '#shared/domain/nl.ts';
import type { Freshness } from '#shared/domain/staleness.ts';
import styles from './status-icon.module.css';

type StatusProps = {
  readonly status: MachineStatus;
  /** Other values than 'fresh' hide the status (LIVE-07). */
  readonly sighting: Freshness;
};

/**
 * The shapes of the statuses, which differ in shape as well as in colour. Outlines have a contrast of 3:1 on any
 * background.
 */
const SHAPES: Readonly<Record<MachineStatus, ReactNode>> = {
  charging: <path className={styles.charging} d="M9.6 1 2.7 9.3h4L5.9 15l7.2-8.8H8.9Z" />,
  running: (
    <>
      <circle className={styles.running} cx="8" cy="8" r="7" />
      <path className={styles.arrow} d="M6 4.2v7.6L12 8Z" />
    </>
  ),
  off: <circle className={styles.off} cx="8" cy="8" r="5" />,
};

/** The shape of a silent machine, which differs in shape and colour from that of a machine that is off. */
const SILENT = <circle className={styles.silent} cx="8" cy="8" r="6" />;

/**
 * Shows a yellow bolt for 'Laden', a green disc for 'Draait', a grey dot for 'Uit' (LIVE-05) and a dashed ring for a silent
 * machine (LIVE-07).
 */
export function StatusIcon({ status, sighting }: StatusProps): ReactNode {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" role="img" aria-label={statusText(status, sighting)}>
      {sighting === 'fresh' ? SHAPES[status] : SILENT}
    </svg>
  );
}

type StatusLabelProps = StatusProps & {
  /** Adds the last known status of a silent machine, for its own page and its popup. */
  readonly showsLast?: boolean;
};

/** The icon with the status as text. */
export function StatusLabel({ status, sighting, showsLast }: StatusLabelProps): ReactNode {
  return (
    <span className={`${styles.label} inline gap-1 strong`} data-stale={sighting !== 'fresh'}>
      <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
        {sighting === 'fresh' ? SHAPES[status] : SILENT}
      </svg>
      <span>
        {shortStatus(status, sighting)}
        {sighting === 'stale' && showsLast && (
          <span className={styles.last}> ({lastStatusText(status)})</span>
        )}
      </span>
    </span>
  );
}
