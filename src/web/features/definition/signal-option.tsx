import { type IndexedSignal, rangeText } from './signal-index.ts';
import styles from './signal-option.module.css';

type SignalOptionProps = {
  readonly signal: IndexedSignal;
  readonly isProposed: boolean;
  /** Names that it feeds by now. */
  readonly feeds: readonly string[];
  readonly onChoose: () => void;
};

/** A DBC signal in the list: two or three lines, and whatever does not fit as a title. */
export function SignalOption({ signal, isProposed, feeds, onChoose }: SignalOptionProps) {
  const { bus, message, comment, activeWhen, blocked } = signal;
  const place = [rangeText(signal), `can${bus}`, message, activeWhen && `alleen bij ${activeWhen}`]
    .filter(Boolean)
    .join(' · ');
  const about = blocked === undefined ? comment : `Kan niet gekozen worden: ${blocked}`;
  return (
    <button
      type="button"
      className={styles.option}
      aria-disabled={blocked !== undefined || undefined}
      title={[place, about].filter(Boolean).join('\n')}
      onClick={onChoose}
    >
      <span className={styles.first}>
        <span className={styles.name}>{signal.signal}</span>
        {isProposed && <span className={styles.mark}>voorstel</span>}
        {feeds.length > 0 && <span className={styles.mark}>voedt {feeds.join(', ')}</span>}
      </span>
      <span className={styles.line}>{place}</span>
      {about && <span className={styles.line}>{about}</span>}
    </button>
  );
}
