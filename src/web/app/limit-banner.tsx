import { limitText } from '#shared/domain/limit-text.ts';
import { useUser } from '#web/session/user.ts';
import styles from './limit-banner.module.css';

/** Shows on every page of a user with limited access what that user can see. */
export function LimitBanner() {
  const { limit } = useUser();
  return limit ? (
    <p className={`${styles.banner} line-below py-1 px-4 small centred`}>{limitText(limit)}</p>
  ) : null;
}
