import styles from './failure-alert.module.css';

/** What went wrong, said at once by a screen reader. Always in the page, so that it is heard; unseen while empty. */
export function FailureAlert({ children }: { readonly children: string | undefined }) {
  return <div role="alert">{children !== undefined && <p className={styles.failure}>{children}</p>}</div>;
}
