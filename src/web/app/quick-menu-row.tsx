import { memo } from 'react';
import { Link } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { averagePercent, batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { formatLastSeen, formatPercent, NEVER_SEEN_LABEL, shortStatus } from '#shared/domain/nl.ts';
import { freshnessOf } from '#shared/domain/staleness.ts';
import { StatusIcon } from '#web/ui/status-icon.tsx';
import styles from './quick-menu-row.module.css';

/** Height of a row: three lines of text and padding. */
export const QUICK_MENU_ROW_REM = 4.25;

type Props = {
  readonly entry: LiveEntry;
  /** Path of the machine's page. */
  readonly to: string;
  readonly nowMs: number;
  readonly onChoose: () => void;
};

/**
 * Shows alias, brand, model, average battery level and status. A stale row is greyed and shows when the machine was last
 * seen (LIVE-07).
 */
export const QuickMenuRow = memo(function QuickMenuRow({ entry, to, nowMs, onChoose }: Props) {
  const { metadata, liveData } = entry;
  const status = machineStatus(liveData);
  const sighting = freshnessOf(liveData.GMT_UNIX, nowMs);
  return (
    <Link to={to} className={`${styles.row} list-row`} data-stale={sighting !== 'fresh'} onClick={onChoose}>
      <StatusIcon status={status} sighting={sighting} />
      <span className={`${styles.names} stack gap-0 grow`}>
        <span className="strong">{metadata.alias}</span>
        <span className="quiet smaller">
          {metadata.brand} {metadata.model}
        </span>
        {sighting === 'stale' && (
          <span className="quiet smaller">Laatst gezien: {formatLastSeen(liveData.GMT_UNIX, nowMs)}</span>
        )}
        {sighting === 'never' && (
          <span className="quiet smaller" aria-hidden="true">
            {NEVER_SEEN_LABEL}
          </span>
        )}
      </span>
      <span className="stack gap-0 right">
        <span className="strong">
          {formatPercent(averagePercent(batteriesOf(liveData, metadata.batteries)))}
        </span>
        {sighting !== 'never' && (
          <span className="quiet smaller" aria-hidden="true">
            {shortStatus(status, sighting)}
          </span>
        )}
      </span>
    </Link>
  );
});
