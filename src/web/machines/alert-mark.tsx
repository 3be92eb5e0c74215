import type { ReactNode } from 'react';
import type { Alert } from '#shared/contract/alerts.ts';
import { SEVERITY_TEXTS } from '#shared/domain/alerts/kinds/kind.ts';
import { factRequiredByKind, kindDefinition } from '#shared/domain/alerts/kinds.ts';
import { timeOrDateText } from '#shared/domain/nl.ts';
import styles from './alert-mark.module.css';

type AlertMarkProps = Pick<Alert, 'severity'>;

/** Shows the severity of an alert by shape, colour and text. */
export const AlertMark = ({ severity }: AlertMarkProps): ReactNode => (
  <span className={`${styles.mark} inline gap-1 small strong`} data-severity={severity}>
    <svg viewBox="0 0 16 16" aria-hidden="true">
      {severity === 'urgent' ? (
        <path d="M8 1.5 15 14H1Z" strokeLinejoin="round" />
      ) : (
        <circle cx="8" cy="8" r="6.25" />
      )}
      <path className={styles.bang} d={severity === 'urgent' ? 'M8 6v3.5M8 11.6v.4' : 'M8 4.5V9M8 11.2v.4'} />
    </svg>
    {SEVERITY_TEXTS[severity]}
  </span>
);

/**
 * Returns 'sinds 14:05', 'om 14:05' for an event, 'gemeld 14:05' for maintenance, whose text says when it was due, or 'van 14:05 tot 15:10'
 * for a resolved alert.
 */
export function alertTimeText(
  { kind, since, until }: Pick<Alert, 'kind' | 'since' | 'until'>,
  nowMs: number,
): string {
  const [from, to] = [
    timeOrDateText(Date.parse(since), nowMs),
    until && timeOrDateText(Date.parse(until), nowMs),
  ];
  if (kindDefinition(kind).isEvent && (!to || to === from)) return `om ${from}`;
  if (to) return `van ${from} tot ${to}`;
  return factRequiredByKind(kind) === 'plans' ? `gemeld ${from}` : `sinds ${from}`;
}
