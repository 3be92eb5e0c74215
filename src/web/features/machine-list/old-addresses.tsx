import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '#shared/domain/nl.ts';
import { loggerPanelPath } from '#web/machines/page-path.ts';
import { readQuery } from '#web/queries/read.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './machines-page.module.css';

/** Task for administrators: loggers that upload to a former address of the portal. Hidden without such loggers. */
export function OldAddresses() {
  const loggers = useQuery(readQuery('GET /api/machine/writer/old-addresses'));
  const count = loggers.data?.length ?? 0;
  if (loggers.error)
    return <RetryAlert query={loggers} fallback="De loggers met een oud adres zijn niet geladen." />;
  if (count === 0) return null;
  return (
    <details className={`${styles.task} surface py-1 px-4 mb-6`}>
      <summary className="fold inherit">
        <h2 className="large">
          Oud adres van het portaal: {count === 1 ? '1 logger' : `${formatNumber(count)} loggers`}
        </h2>
      </summary>
      <p className="measure mb-3 quiet">
        Het portaal heeft een ander adres gekregen. Deze loggers sturen nog naar het oude: laat dat werken tot
        ze allemaal een nieuwe configuratie hebben.
      </p>
      <CardList
        label="Oud adres van het portaal"
        items={loggers.data ?? []}
        keyOf={({ loggerId }) => loggerId}
      >
        {({ loggerId, address, cleanorg, ...machine }) => (
          <>
            <h3>
              <TextLink to={loggerPanelPath(machine)}>{machine.alias || machine.serial}</TextLink>
            </h3>
            <p>
              #{machine.serial}, {cleanorg}
            </p>
            <p>Logger {loggerId}</p>
            <p>{address}</p>
          </>
        )}
      </CardList>
    </details>
  );
}
