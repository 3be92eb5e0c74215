import { limitText } from '#shared/domain/limit-text.ts';
import { useUser } from '#web/session/user.ts';
import styles from './limit-banner.module.css';

/** Tells a limited person on every page what they see; nothing to anybody else. */
export function LimitBanner() {
  const { limit } = useUser();
  return limit ? <p className={styles.banner}>{limitText(limit)}</p> : null;
}
