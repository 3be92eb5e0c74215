import type { ReactNode } from 'react';
import styles from './figure.module.css';

type FigureProps = {
  readonly label: string;
  readonly value: string;
  /** Old data: it looks it. */
  readonly isStale?: boolean;
  /** Beside the value, smaller: 'vol om 17:40'. */
  readonly more?: string | undefined;
  /** A Tip. */
  readonly tip?: ReactNode;
};

/** A number to be read from a distance, with its name above it. */
export function Figure({ label, value, isStale = false, more, tip }: FigureProps): ReactNode {
  return (
    <dl className={styles.figure} data-stale={isStale}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value}>{value}</span>
        {more && <span className={styles.more}>{more}</span>}
        {tip}
      </dd>
    </dl>
  );
}
