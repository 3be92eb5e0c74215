import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CardSkeletons } from './card-list.tsx';
import { RetryAlert } from './retry-alert.tsx';

type LoadedListProps<Item> = {
  readonly query: UseQueryResult<readonly Item[]>;
  /** Where the list would stand when there is nothing in it. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
};

/**
 * A list from the server: grey cards while it comes, `empty` when nothing is in it. When asking fails, what was
 * there stays, with a sentence and a button that asks again.
 */
export function LoadedList<Item>({ query, empty, children }: LoadedListProps<Item>): ReactNode {
  const { data, error } = query;
  return (
    <>
      <RetryAlert
        query={query}
        fallback={data ? 'De lijst is niet vernieuwd.' : 'De lijst is niet geladen.'}
      />
      {data === undefined && !error && <CardSkeletons />}
      {data?.length === 0 && empty}
      {data !== undefined && data.length > 0 && children(data)}
    </>
  );
}
