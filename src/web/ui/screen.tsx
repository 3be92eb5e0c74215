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
