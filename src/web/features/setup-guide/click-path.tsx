import { Fragment } from 'react';
import styles from './click-path.module.css';

/** What to click in the tool, one after the other. */
export function ClickPath({ clicks }: { readonly clicks: readonly string[] }) {
  return (
    <p className={styles.path} lang="en">
      {clicks.map((click, at) => (
        <Fragment key={click}>
          {at > 0 && (
            <span className={styles.then}>
              <span aria-hidden="true">›</span>
              <span className="sr-only">, </span>
            </span>
          )}
          <span className={styles.click}>{click}</span>
        </Fragment>
      ))}
    </p>
  );
}
