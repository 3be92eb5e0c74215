import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import styles from './page.module.css';

type PageProps = {
  readonly title: string;
  /** The path that 'Terug' goes to. */
  readonly back: string;
  /** Goes there in another way, unless the click wants another tab. */
  readonly onBack?: ((event: MouseEvent) => void) | undefined;
  /** Beside the title: an AddLink. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** An ordinary page: the way back, the title, the content. */
export function Page({ title, back, onBack, action, children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={styles.page}>
      <BackLink to={back} onClick={onBack} />
      <div className={styles.title}>
        <h1>{title}</h1>
        {action}
      </div>
      {children}
    </div>
  );
}

type BackLinkProps = {
  readonly to: string;
  readonly onClick: ((event: MouseEvent) => void) | undefined;
};

/** 'Terug' to the page above this one, or where the page says. */
function BackLink({ to, onClick }: BackLinkProps) {
  return (
    <Link to={to} className={styles.back} onClick={onClick}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path
          d="M15 5l-7 7 7 7"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.25"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Terug
    </Link>
  );
}
