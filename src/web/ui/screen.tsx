import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import styles from './screen.module.css';

/** A message instead of a page: a title, a sentence, what one can do. */
export function Screen({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <section className={styles.screen}>
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** APP-01's word while something is not there yet. It stands in for a page, so it is its heading too. */
export function Loading() {
  return (
    <div role="status">
      <h1 className={styles.loading}>Loading...</h1>
    </div>
  );
}
