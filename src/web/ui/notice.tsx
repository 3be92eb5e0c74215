import styles from './notice.module.css';

/** What was done, in a line that a screen reader says too. Always in the page; unseen while empty. */
export function Notice({ children }: { readonly children: string | undefined }) {
  return (
    <div role="status">
      {children !== undefined && (
        <p className={styles.notice}>
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path
              d="M5 12.5l4.5 4.5L19 7.5"
              fill="none"
              stroke="currentColor"
              strokeWidth="2.5"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}
