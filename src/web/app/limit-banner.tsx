import { limitText } from '#shared/domain/limit-text.ts';
import { useUser } from '#web/session/user.ts';
import styles from './limit-banner.module.css';

/** Shows a limited user on every page what they can see. */
export function LimitBanner() {
  const { limit } = useUser();
  return limit ? (
    <p className={`${styles.banner} line-below py-1 px-4 small centred`}>{limitText(limit)}</p>
  ) : null;
}
