import { plainNumber } from '#shared/domain/nl.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { useOldAddresses } from './machine-list-calls.ts';
import styles from './machines-page.module.css';

/** A task for administrators: loggers that upload to a former address of the portal; nothing while there are none. */
export function OldAddresses() {
  const loggers = useOldAddresses();
  const count = loggers.data?.length ?? 0;
  if (loggers.error)
    return <RetryAlert query={loggers} fallback="De loggers met een oud adres zijn niet geladen." />;
  if (count === 0) return null;
  return (
    <details className={styles.task}>
      <summary>
        <h2>Oud adres van het portaal: {count === 1 ? '1 logger' : `${plainNumber(count)} loggers`}</h2>
      </summary>
      <p>
        Het portaal heeft een ander adres gekregen. Deze loggers sturen nog naar het oude: laat dat werken tot
        ze allemaal een nieuwe configuratie hebben.
      </p>
      <CardList
        label="Oud adres van het portaal"
        items={loggers.data ?? []}
        keyOf={({ loggerId }) => loggerId}
      >
        {({ serial, alias, organization, loggerId, isMachine, address }) => (
          <>
            <h3>
              <TextLink
                to={
                  isMachine
                    ? `/machine/edit/${encodeURIComponent(serial)}`
                    : `/lmb-logging/${encodeURIComponent(alias)}`
                }
              >
                {alias || serial}
              </TextLink>
            </h3>
            <p>
              #{serial}, {organization}
            </p>
            <p>Logger {loggerId}</p>
            <p>{address}</p>
          </>
        )}
      </CardList>
    </details>
  );
}
