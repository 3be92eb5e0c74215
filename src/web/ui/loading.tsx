import styles from './loading.module.css';

/** The specification's word while something is not there yet. */
export function Loading() {
  return (
    <p role="status" className={styles.loading}>
      Loading...
    </p>
  );
}
