import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Shown instead of an empty list: what is missing, and perhaps what to do. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="px-4 py-6 quiet centred">
      <p className={`${styles.title} mb-1 strong`}>{title}</p>
      {children}
    </div>
  );
}
