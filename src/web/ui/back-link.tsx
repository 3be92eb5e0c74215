import { Link } from 'react-router';
import styles from './back-link.module.css';

/** 'Terug' to a fixed place: the page above this one. */
export function BackLink({ to }: { readonly to: string }) {
  return (
    <Link to={to} className={styles.link}>
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
