import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Alert } from '#shared/contract/alerts.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { showsPresentPosition } from '#shared/domain/alerts/kinds.ts';
import { clockTime, formatNumber } from '#shared/domain/nl.ts';
import { useAlertPolling } from '#web/machines/open-alerts.ts';
import { useUser } from '#web/session/user.ts';
import styles from './bell.module.css';

/**
 * Link to the page of alerts. Shows how many alerts are open and how many are new. Hidden from users who may not see
 * machines.
 */
export function Bell(): ReactNode {
  return isActionAllowed(useUser(), 'see-machines') ? <BellLink /> : null;
}

/** A higher count is shown as '99+', because three digits do not fit. */
const MAX_SHOWN_COUNT = 99;

function BellLink() {
  const { data, error, dataUpdatedAt } = useAlertPolling();
  const open = data?.alerts.length ?? 0;
  const fresh = data?.fresh ?? 0;
  const isOld = error !== null;
  const texts = [
    bellText({ open, hasMore: data?.hasMore, fresh }, isOld ? dataUpdatedAt : undefined),
    ...(isOld ? [] : movedMachineTexts(data?.alerts)),
  ];
  return (
    <Link
      to="/meldingen"
      className={`${styles.bell} icon-button relative inherit hover`}
      aria-label={texts.join('. ')}
      title={texts.join('\n')}
    >
      <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
        <path
          d="M12 3.5a5.5 5.5 0 0 0-5.5 5.5v3.6L4.75 16.5h14.5L17.5 12.6V9A5.5 5.5 0 0 0 12 3.5ZM9.75 19.25a2.4 2.4 0 0 0 4.5 0"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {open > 0 && (
        <span
          className={styles.count}
          data-old={isOld || undefined}
          data-new={fresh > 0 || undefined}
          aria-hidden="true"
        >
          {open > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : open}
        </span>
      )}
    </Link>
  );
}

/** Maximum number of machines that move outside working hours and are described in the bell's text. */
const MAX_MOVES = 3;

/**
 * Returns one text per machine that moves outside working hours, with the distance so far, its speed and its place:
 * 'Kraan 1: 7,2 km verplaatst, …'.
 */
export const movedMachineTexts = (alerts: readonly Alert[] = []): string[] =>
  alerts
    .flatMap(({ kind, machine, words }) =>
      showsPresentPosition(kind) && machine ? [`${machine.alias || machine.serialNumber}: ${words}`] : [],
    )
    .slice(0, MAX_MOVES);

type Counts = { readonly open: number; readonly hasMore?: boolean | undefined; readonly fresh: number };

/**
 * Returns 'Meldingen: 12 open, 3 nieuw'. New alerts are those that the user was notified of and has not seen; seeing
 * an alert does not close it.
 * @param asOf time of the server's last response, in Unix milliseconds; set only while the server does not respond
 */
export function bellText({ open, hasMore = false, fresh }: Counts, asOf?: number): string {
  if (open === 0) return 'Meldingen';
  const all = `Meldingen: ${hasMore ? 'meer dan ' : ''}${formatNumber(open)} open`;
  const count = fresh === 0 ? all : `${all}, ${formatNumber(fresh)} nieuw`;
  return asOf ? `${count} om ${clockTime(asOf)}` : count;
}
