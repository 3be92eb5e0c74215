import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { Logo } from '#web/ui/logo.tsx';
import styles from './sign-in-page.module.css';

/** Layout of a page that a mailed link opens, for users who are not signed in: logo, title and content. */
export function SignedOutPageLayout({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <main className={`${styles.page} stack gap-0 top`}>
      <div className={`${styles.card} raised full`}>
        <p className={styles.logo}>
          <Logo size="large" />
        </p>
        <h1 className="mt-4 mb-3 larger balance">{title}</h1>
        <div className="stack">{children}</div>
      </div>
    </main>
  );
}
