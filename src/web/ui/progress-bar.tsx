import styles from './progress-bar.module.css';

/** How far something is, such as an upload: `done` from 0 to 1, undefined while nobody knows. */
export function ProgressBar({ label, done }: { readonly label: string; readonly done: number | undefined }) {
  return (
    <div className={styles.place}>
      <span role="status">{label}</span>
      <progress value={done} aria-label={label} />
      {done !== undefined && <span aria-hidden="true">{Math.floor(done * 100)} %</span>}
    </div>
  );
}
