import { usePortalTasks } from '#web/session/portal-tasks.ts';
import styles from './connection-banner.module.css';

/** Warns administrators on every page when the portal refuses all loggers because a proxy changes the Host header. */
export function HostBanner() {
  const host = usePortalTasks().data?.host;
  if (!host) return null;
  return (
    <div className={styles.banner} data-kind="outage">
      <p>
        Loggers worden geweigerd: de proxy geeft Host {host.received} door, PUBLIC_URL zegt {host.expected}.
        Laat de proxy de kop Host ongewijzigd doorgeven.
      </p>
    </div>
  );
}
