import { FailureAlert } from './failure-alert.tsx';
import { Notice } from './notice.tsx';
import styles from './outcome.module.css';

type OutcomeProps = {
  readonly note: string | undefined;
  readonly failure?: string | undefined;
};

/** What came of the last thing that was done on the page, above its list. */
export function Outcome({ note, failure }: OutcomeProps) {
  return (
    <div className={styles.outcome}>
      <Notice>{note}</Notice>
      <FailureAlert>{failure}</FailureAlert>
    </div>
  );
}
