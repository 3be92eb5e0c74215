import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './link.module.css';

type TextLinkProps = {
  readonly to: string;
  /** Label for screen readers if several links have the same text; it begins with that text. */
  readonly label?: string;
  readonly children: ReactNode;
};

/** A link to another page, large enough for a gloved hand. */
export function TextLink({ to, label, children }: TextLinkProps) {
  return (
    <Link to={to} className="text-link" aria-label={label}>
      {children}
    </Link>
  );
}

/** The round button to a page that creates something, for Page's `action`. */
export function AddLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <Link to={to} className={`${styles.add} centre filled rigid round`} aria-label={label} title={label}>
      <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
        <path d="M12 5v14M5 12h14" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
    </Link>
  );
}
