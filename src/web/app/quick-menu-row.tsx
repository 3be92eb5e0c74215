import { memo } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { averagePercent, batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { lastSeen, percent, SILENT_LABEL, statusLabel } from '#shared/domain/nl.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { StatusIcon } from '#web/ui/status-icon.tsx';
import styles from './quick-menu-row.module.css';

/** Height of a row: three lines of text and some air. */
export const ROW_REM = 4.25;

type Props = {
  readonly entry: LiveEntry;
  /** The machine's own page. */
  readonly to: string;
  readonly nowMs: number;
  readonly onChoose: () => void;
};

/** Alias, brand and model, average battery and status; when the data is stale, greyed and since when (LIVE-07). */
export const QuickMenuRow = memo(function QuickMenuRow({ entry, to, nowMs, onChoose }: Props) {
  const { metadata, liveData } = entry;
  const status = machineStatus(liveData);
  const stale = isStale(liveData.GMT_UNIX, nowMs);
  return (
    <Link to={to} className={styles.row} data-stale={stale} onClick={onChoose}>
      <StatusIcon status={status} stale={stale} />
      <span className={styles.names}>
        <span className={styles.alias}>{metadata.alias}</span>
        <span className={styles.kind}>
          {metadata.brand} {metadata.model}
        </span>
        {stale && <span className={styles.seen}>Laatst gezien: {lastSeen(liveData.GMT_UNIX, nowMs)}</span>}
      </span>
      <span className={styles.numbers}>
        <span className={styles.percent}>
          {percent(averagePercent(batteriesOf(liveData, metadata.batteries)))}
        </span>
        <span className={styles.status} aria-hidden="true">
          {stale ? SILENT_LABEL : statusLabel(status)}
        </span>
      </span>
    </Link>
  );
});
