import { type IndexedSignal, rangeText, type Source } from './signal-index.ts';
import styles from './signal-source.module.css';

type SignalSourceProps = {
  readonly source: Source;
  /** Undefined when the DBC files do not have it. */
  readonly found: IndexedSignal | undefined;
};

/** A DBC signal that was chosen: its name, its place, and what its DBC says of it. */
export function SignalSource({ source, found }: SignalSourceProps) {
  const bus = found?.bus ?? source.bus;
  const place = [bus === undefined ? undefined : `can${bus}`, found?.message ?? source.message];
  const about = found ? [rangeText(found), found.activeWhen && `alleen bij ${found.activeWhen}`] : [];
  return (
    <>
      <span className={styles.signal}>{source.signal}</span>
      <span className={styles.about}>{[...place, ...about].filter(Boolean).join(' · ')}</span>
      {found && found.comment !== '' && <span className={styles.about}>{found.comment}</span>}
    </>
  );
}
