import type { ReactNode } from 'react';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import { BackLink } from './back-link.tsx';
import styles from './page.module.css';

/** An ordinary page: the way back, the title, the content. `back` is the path that 'Terug' goes to. */
export function Page({
  title,
  back,
  children,
}: {
  readonly title: string;
  readonly back: string;
  readonly children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <div className={styles.page}>
      <BackLink to={back} />
      <h1>{title}</h1>
      {children}
    </div>
  );
}
