import { useState } from 'react';
import { useLiveState } from '#web/live/live.ts';
import { Outage } from '#web/live/outage.tsx';
import styles from './connection-banner.module.css';
import { HostBanner } from './host-banner.tsx';

/** Shows since when the live data has not been updated, or that the browser cannot store the live data (LIVE-02). */
export function ConnectionBanner() {
  const { failingSince, storageDropped } = useLiveState();
  const [read, setRead] = useState(false);
  return (
    <div role="status" className={styles.place} data-over-map>
      {failingSince !== undefined && (
        <div className={`${styles.banner} row gap-4 touch px-4 line-below`} data-kind="outage">
          <Outage />
        </div>
      )}
      {failingSince === undefined && storageDropped && !read && (
        <div className={`${styles.banner} row gap-4 touch px-4 line-below`}>
          <p>De gegevens passen niet in deze browser. Zonder verbinding zijn ze hier straks niet te zien.</p>
          <button type="button" className="text-link rigid px-3" onClick={() => setRead(true)}>
            Sluiten
          </button>
        </div>
      )}
      <HostBanner />
    </div>
  );
}
