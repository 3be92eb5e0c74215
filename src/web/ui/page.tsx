import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { useDocumentTitle } from '#web/lib/document-title.ts';
import styles from './page.module.css';

type PageProps = {
  readonly title: string;
  /** Path to which the link 'Terug' leads. */
  readonly back: string;
  /** Handles a click on 'Terug'; may prevent the navigation to `back`. */
  readonly onBack?: ((event: MouseEvent) => void) | undefined;
  /** Rendered beside the title: an AddLink. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** A page with 'Terug', a title and content. */
export function Page({ title, back, onBack, action, children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className={styles.page}>
      <BackLink to={back} onClick={onBack} />
      <div className={`${styles.title} split mt-1 mb-4`}>
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

function BackLink({ to, onClick }: BackLinkProps) {
  return (
    <Link to={to} className={`${styles.back} text-link pr-2 plain`} onClick={onClick}>
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
