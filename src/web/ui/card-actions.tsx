import type { ReactNode } from 'react';
import styles from './card-actions.module.css';

/** The buttons at the foot of a card: apart from each other, a single one at the right. */
export const CardActions = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles.actions}>{children}</div>
);
