import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { Logo } from '#web/ui/logo.tsx';
import styles from './sign-in-page.module.css';

/** A page for who is not signed in, reached by the link of a mail: the logo, a title, what there is to do. */
export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.logo}>
          <Logo size="large" />
        </p>
        <h1 className={styles.title}>{title}</h1>
        <div className={styles.steps}>{children}</div>
      </div>
    </main>
  );
}
