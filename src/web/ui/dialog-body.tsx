import type { ReactNode } from 'react';
import styles from './dialog-body.module.css';

/** What stands in a dialog below its title: paragraphs, fields and buttons, one below the other. */
export const DialogBody = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles.body}>{children}</div>
);
