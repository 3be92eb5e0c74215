import styles from './loading.module.css';

/** APP-01's word while something is not there yet. It stands in for a page, so it is its heading too. */
export function Loading() {
  return (
    <div role="status">
      <h1 className={styles.loading}>Loading...</h1>
    </div>
  );
}
