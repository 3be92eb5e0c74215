import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './card-title.module.css';

type CardTitleProps = {
  readonly to: string;
  /** What a screen reader says of the card: its title alone may stand on many cards. */
  readonly label: string;
  readonly children: ReactNode;
};

/** The heading of a card, whose link makes the whole card a target. */
export function CardTitle({ to, label, children }: CardTitleProps): ReactNode {
  return (
    <h2>
      <Link to={to} className={styles.link!} aria-label={label}>
        {children}
      </Link>
    </h2>
  );
}
