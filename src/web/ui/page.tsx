import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { BackLink } from './back-link.tsx';
import styles from './page.module.css';

type PageProps = {
  readonly title: string;
  /** The path that 'Terug' goes to. */
  readonly back: string;
  /** Beside the title: an AddLink. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** An ordinary page: the way back, the title, the content. */
export function Page({ title, back, action, children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={styles.page}>
      <BackLink to={back} />
      <div className={styles.title}>
        <h1>{title}</h1>
        {action}
      </div>
      {children}
    </div>
  );
}
