import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { LogEntry } from '#shared/contract/log.ts';
import { departedAccountText, personText } from '#shared/domain/log-text.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { callApi } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { LogRow } from './log-entry.tsx';
import { csvPath, logFilterFromUrl, logQueryOf, logSearchOf } from './log-filter.ts';
import { LogFilters, type Person } from './log-filters.tsx';
import styles from './logbook-page.module.css';

/** Page '/logboek' (13.9): the audit log. The URL's query holds the filter. */
export function LogbookPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const view = logFilterFromUrl(search);
  const log = useInfiniteQuery({
    queryKey: ['GET /api/log', logQueryOf(view)],
    queryFn: ({ pageParam: after, signal }) =>
      callApi('GET /api/log', { query: { ...logQueryOf(view), ...(after && { after }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ entries, isEnd }) => (isEnd ? undefined : entries.at(-1)?.cursor),
    // Off, because a refetch would load all pages again.
    refetchOnWindowFocus: false,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  const people = useQuery(readQuery('GET /api/user/get')).data ?? [];
  const choice = withChosen(
    people
      .map(({ _id, name, email }) => ({
        id: Number(_id),
        name: personText(name === null ? { name: email } : { name, email }),
      }))
      .sort((one, other) => one.name.localeCompare(other.name, 'nl')),
    view.person,
    entries ?? [],
  );
  const isFiltered = logSearchOf(view) !== '';
  return (
    <Page title="Logboek" back="/">
      <LogFilters
        view={view}
        people={choice}
        onChange={(next) => setSearch(logSearchOf(next), { preventScrollReset: true })}
      />
      <div className="cluster gap-3 stretch mb-4">
        {isFiltered && (
          <Button variant="default" size="md" onClick={() => setSearch('')}>
            Wis filters
          </Button>
        )}
        <Button component="a" href={csvPath(view)} download variant="default" size="md">
          Download als CSV
        </Button>
      </div>
      <RetryAlert
        query={log}
        fallback={entries ? 'De rest van het logboek is niet geladen.' : 'Het logboek is niet geladen.'}
      />
      {!entries && !log.error && (
        <p className="my-4" role="status">
          Het logboek wordt geladen
        </p>
      )}
      {entries?.length === 0 && (
        <EmptyState title={isFiltered ? 'Niets gevonden' : 'Het logboek is nog leeg'}>
          {isFiltered && <p>Kies minder filters of een langere periode.</p>}
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <>
          <div className={styles.head} aria-hidden="true">
            <span>Wanneer</span>
            <span>Wat</span>
            <span>Wie</span>
          </div>
          <ol className={`${styles.log} stack`} aria-label="Logboek, nieuwste eerst">
            {entries.map((entry) => (
              <li key={entry.cursor} className={styles.row}>
                <LogRow entry={entry} />
              </li>
            ))}
          </ol>
          <More
            hasMore={log.hasNextPage}
            isBusy={log.isFetchingNextPage}
            count={entries.length}
            onMore={() => void log.fetchNextPage()}
          />
        </>
      )}
    </Page>
  );
}

/** Returns `people`, plus the chosen account if they lack it: a link may name a deleted account or another organization's. */
function withChosen(
  people: readonly Person[],
  chosen: number | undefined,
  entries: readonly LogEntry[],
): readonly Person[] {
  if (chosen === undefined || people.some(({ id }) => id === chosen)) return people;
  const named = entries.flatMap(({ who, account }) => [who, account]).find((one) => one?.id === chosen);
  return [...people, { id: chosen, name: named ? personText(named) : departedAccountText(chosen) }];
}

type MoreProps = {
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  readonly count: number;
  readonly onMore: () => void;
};

/** Loads the next page when the user scrolls near the end of the list or presses the button. */
function More({ hasMore, isBusy, count, onMore }: MoreProps): ReactNode {
  const marker = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  useEffect(() => {
    if (!hasMore || isBusy || !marker.current) return;
    const watch = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting) more.current();
      },
      { rootMargin: '600px' },
    );
    watch.observe(marker.current);
    return () => watch.disconnect();
  }, [hasMore, isBusy]);
  return (
    <div ref={marker} className={`${styles.more} cluster gap-3`}>
      {hasMore && (
        <Button
          variant="default"
          size="md"
          aria-disabled={isBusy || undefined}
          onClick={() => isBusy || onMore()}
        >
          Toon meer
        </Button>
      )}
      <p role="status" className="quiet">
        {hasMore ? `${formatNumber(count)} regels getoond` : 'Dit is het begin van het logboek.'}
      </p>
    </div>
  );
}
