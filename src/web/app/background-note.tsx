import styles from './background-note.module.css';
import { useBackgroundTasks } from './background-tasks.ts';

/** A note under the header while the server is at long work, such as the demo's history; usually nothing. */
export function BackgroundNote() {
  const tasks = useBackgroundTasks();
  return (
    <div className={styles.place}>
      {tasks.map(({ name, done }) => (
        <div key={name} className={styles.note} data-background-note>
          {/* Said once by a screen reader: the figure is beside it, not in it. */}
          <span role="status">{name} wordt aangevuld</span>
          <progress value={done} aria-label={name} />
          <span aria-hidden="true">{Math.floor(done * 100)} %</span>
        </div>
      ))}
    </div>
  );
}
