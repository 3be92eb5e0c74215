import { ownAccessLimitText } from '#shared/domain/limit-text.ts';
import { useUser } from '#web/session/user.ts';
import styles from './limit-banner.module.css';

/** Shows on every page which machines a user with limited access can see. */
export function LimitBanner() {
  const { limit } = useUser();
  return limit ? (
    <p className={`${styles.banner} line-below py-1 px-4 small centred`}>{ownAccessLimitText(limit)}</p>
  ) : null;
}
