import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './text-link.module.css';

/** A link of a few words to another page, large enough for a glove. */
export function TextLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} className={styles.link}>
      {children}
    </Link>
  );
}
