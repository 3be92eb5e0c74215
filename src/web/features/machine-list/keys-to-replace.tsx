import { useQuery } from '@tanstack/react-query';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { readQuery } from '#web/queries/read.ts';
import { CardList } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './machines-page.module.css';

/** Task for administrators: loggers of sold machines, whose key the former owner may know. Hidden without such loggers. */
export function KeysToReplace() {
  const keys = useQuery(readQuery('GET /api/machine/writer/keys-to-replace'));
  const now = useNow(60_000);
  const count = keys.data?.length ?? 0;
  if (keys.error)
    return <RetryAlert query={keys} fallback="De sleutels die vervangen moeten worden zijn niet geladen." />;
  if (count === 0) return null;
  return (
    <details className={`${styles.task} surface py-1 px-4 mb-6`}>
      <summary className="fold inherit">
        <h2 className="large">
          Nieuwe sleutel nodig:{' '}
          {count === 1 ? '1 verkochte machine' : `${formatNumber(count)} verkochte machines`}
        </h2>
      </summary>
      <p className="measure mb-3 quiet">
        Deze machines zijn verkocht met hun logger. De vorige eigenaar kan de sleutel kennen: maak een nieuwe
        configuratie en laad die in de logger. Na de genoemde dag wacht in quarantaine wat nog met de oude
        sleutel komt.
      </p>
      <CardList label="Nieuwe sleutel nodig" items={keys.data ?? []} keyOf={({ serial }) => serial}>
        {({ serial, alias, organization, loggerId, replaceBy }) => (
          <>
            <h3>
              <TextLink to={`/machine/edit/${encodeURIComponent(serial)}`}>{alias || serial}</TextLink>
            </h3>
            <p>
              #{serial}, {organization}
            </p>
            <p>Logger {loggerId}</p>
            <p>
              {Date.parse(replaceBy) > now ? 'Vóór' : 'Te laat sinds'} {dateAndTime(Date.parse(replaceBy))}
            </p>
          </>
        )}
      </CardList>
    </details>
  );
}
