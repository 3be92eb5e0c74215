import type { ReactNode } from 'react';
import styles from './status-card.module.css';

type StatusCardProps = {
  /** Class for the layout of a particular list. */
  readonly className?: string | undefined;
  readonly isStale?: boolean;
  readonly children: ReactNode;
};

/** A card of a machine; the link in its heading makes the whole card clickable. */
export const StatusCard = ({ className = '', isStale = false, children }: StatusCardProps): ReactNode => (
  <article className={`${styles.card} column surface tall py-3 px-4 ${className}`} data-stale={isStale}>
    {children}
  </article>
);

type StateLineProps = {
  readonly status: ReactNode;
  /** undefined for a machine that has never reported, because its status already shows this. */
  readonly seen: string | undefined;
};

/** The status of a machine, and when it was last seen. */
export const MachineStateLine = ({ status, seen }: StateLineProps): ReactNode => (
  <p className="split gap-x-3 baseline">
    {status}
    {seen !== undefined && <span className="quiet small">Laatst gezien: {seen}</span>}
  </p>
);
