import type { ReactNode } from 'react';
import styles from './sight-card.module.css';

type SightCardProps = {
  /** What a card of this list lays out in a way of its own. */
  readonly className?: string | undefined;
  readonly isStale?: boolean;
  readonly children: ReactNode;
};

/** A machine in a list of cards; the link in its heading covers all of it. */
export const SightCard = ({ className = '', isStale = false, children }: SightCardProps): ReactNode => (
  <article className={`${styles.card} ${className}`} data-stale={isStale}>
    {children}
  </article>
);

type StateLineProps = {
  readonly status: ReactNode;
  /** undefined for a machine that has never reported: its status says so. */
  readonly seen: string | undefined;
};

/** What the machine does, and when that was heard. */
export const StateLine = ({ status, seen }: StateLineProps): ReactNode => (
  <p className={styles.state}>
    {status}
    {seen !== undefined && <span className={styles.seen}>Laatst gezien: {seen}</span>}
  </p>
);
