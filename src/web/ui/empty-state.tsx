import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Where a list would stand when there is nothing in it: what is missing, and perhaps what to do. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}
