import type { ReactNode } from 'react';
import { silenceText } from '#shared/domain/attention.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { formatLastSeen, formatSpeed, NEVER_SEEN_LABEL } from '#shared/domain/nl.ts';
import { MACHINE_STATUS_LEGEND } from '#shared/domain/rail-legend.ts';
import { freshnessOf, isStale, wasEverSeen } from '#shared/domain/staleness.ts';
import { useLiveEntry } from '#web/live/live.ts';
import { StatusLabel } from '#web/ui/status-icon.tsx';
import styles from './logger-now.module.css';
import { RailCodeName } from './rail-code-name.tsx';

type LoggerNowProps = {
  readonly loggerid: string;
  /** Unix milliseconds. */
  readonly now: number;
};

/**
 * Shows the last status, speed and time of an LMB logger. The status is the logger's own code; without such a code, the usual
 * status of a machine.
 */
export function LmbLoggerStatus({ loggerid, now }: LoggerNowProps): ReactNode {
  const { liveData } = useLiveEntry(loggerid) ?? {};
  if (!liveData) return null;
  const { GMT_UNIX, Machinestatus: code, Speed } = liveData;
  if (!wasEverSeen(GMT_UNIX)) return <p className={`${styles.now} cluster gap-x-4`}>{NEVER_SEEN_LABEL}</p>;
  const seen = <span className={styles.seen}>Laatst gezien: {formatLastSeen(GMT_UNIX, now)}</span>;
  const stale = isStale(GMT_UNIX, now);
  return (
    <p className={`${styles.now} cluster gap-x-4`} data-stale={stale}>
      {code === undefined ? (
        <StatusLabel status={machineStatus(liveData)} sighting={freshnessOf(GMT_UNIX, now)} />
      ) : (
        <span className="inline gap-1 strong">
          <RailCodeName legend={MACHINE_STATUS_LEGEND} code={code} />
        </span>
      )}
      {Speed !== undefined && <span>{formatSpeed(Speed)}</span>}
      {seen}
      {stale && <span className={styles.seen}>({silenceText(GMT_UNIX, now)})</span>}
    </p>
  );
}
