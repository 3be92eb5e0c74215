import { useState } from 'react';
import { lastSeenDetail } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { useLiveState } from '#web/live/live.ts';
import styles from './connection-banner.module.css';

/** Says that the live data stands still and since when, or that no copy of it is kept (LIVE-02). */
export function ConnectionBanner() {
  const { failingSince, dataAt, storageDropped } = useLiveState();
  const [read, setRead] = useState(false);
  return (
    <div role="status" className={styles.place}>
      {failingSince !== undefined && <Outage dataAt={dataAt} />}
      {failingSince === undefined && storageDropped && !read && (
        <div className={styles.banner}>
          <p>De gegevens passen niet in deze browser. Zonder verbinding zijn ze hier straks niet te zien.</p>
          <button type="button" className={styles.close} onClick={() => setRead(true)}>
            Sluiten
          </button>
        </div>
      )}
    </div>
  );
}

function Outage({ dataAt }: { readonly dataAt: number | undefined }) {
  const now = useNow(60_000);
  return (
    <div className={styles.banner} data-kind="outage">
      <p>
        Geen verbinding met het portaal.
        {dataAt !== undefined && ` Gegevens van ${lastSeenDetail(dataAt / 1000, now)}`}
      </p>
    </div>
  );
}
