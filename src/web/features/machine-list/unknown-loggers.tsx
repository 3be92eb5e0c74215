import { lastSeen, plainNumber } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { useUnknownKeys } from './machine-list-calls.ts';
import styles from './machines-page.module.css';

/** Loggers that report with a key that is nobody's (INGEST-03); nothing while there are none. */
export function UnknownLoggers() {
  const keys = useUnknownKeys();
  const now = useNow(60_000);
  const seen = (at: string): string => lastSeen(Date.parse(at) / 1000, now);
  if (!keys.error && !keys.data?.length) return null;
  return (
    <section className={styles.unknown} aria-labelledby="unknown-loggers">
      <h2 id="unknown-loggers">Onbekende loggers</h2>
      <p>
        Deze sleutels zijn van geen enkele logger in het portaal: van een configuratie die is vervangen of
        losgekoppeld, of van een vreemde. Laad in de logger een nieuw configuratiebestand.
      </p>
      <RetryAlert query={keys} fallback="De onbekende loggers zijn niet geladen." />
      <CardList label="Onbekende loggers" items={keys.data ?? []} keyOf={({ accessKey }) => accessKey}>
        {({ accessKey, firstSeen, lastSeen: last, count }) => (
          <>
            <h3>
              <code>{accessKey}</code>
            </h3>
            <p>Laatst gezien: {seen(last)}</p>
            <p>Eerst gezien: {seen(firstSeen)}</p>
            <p>{count === 1 ? '1 keer geweigerd' : `${plainNumber(count)} keer geweigerd`}</p>
          </>
        )}
      </CardList>
    </section>
  );
}
