import styles from './logo.module.css';

/** The logo (a current that runs through a W) with the name beside it. */
export function Logo({ size = 'small' }: { readonly size?: 'small' | 'large' }) {
  return (
    <span className={styles.logo} data-size={size}>
      <svg viewBox="0 0 32 32" aria-hidden="true" className={styles.mark}>
        <rect width="32" height="32" rx="8" className={styles.plate} />
        <path d="M6 10l4.5 12L16 12l5.5 10L26 10" className={styles.current} />
      </svg>
      Werkstroom
    </span>
  );
}
