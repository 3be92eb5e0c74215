import { limitInWords } from '#shared/domain/limit-words.ts';
import { useUser } from '#web/session/user.ts';
import styles from './limit-banner.module.css';

/** Tells a limited person on every page what they see; nothing to anybody else. */
export function LimitBanner() {
  const { limit } = useUser();
  return limit ? <p className={styles.banner}>{limitInWords(limit)}</p> : null;
}
