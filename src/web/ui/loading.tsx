import styles from './loading.module.css';

/** The specification's word while something is not there yet. It stands in for a page, so it is its heading too. */
export function Loading() {
  return (
    <div role="status">
      <h1 className={styles.loading}>Loading...</h1>
    </div>
  );
}
