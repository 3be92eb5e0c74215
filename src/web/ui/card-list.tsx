/** Lists of cards, skeletons while a list loads, and the parts of a card. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './card-list.module.css';
import { RetryAlert } from './notice.tsx';

type CardListProps<Item> = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  /** Renders the content of a card: a heading and the rest. */
  readonly children: (item: Item) => ReactNode;
};

/** Cards in as many columns as fit. The browser skips painting the cards that are not visible. */
export function CardList<Item>({ label, items, keyOf, children }: CardListProps<Item>): ReactNode {
  return (
    <ul className="cards" aria-label={label}>
      {items.map((item) => (
        <li key={keyOf(item)} className={`${styles.card} column gap-1 surface p-4 shrink`}>
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

type CardTitleProps = {
  readonly to: string;
  /** Label for screen readers, because several cards may have the same title. */
  readonly label: string;
  readonly children: ReactNode;
};

/** The heading of a card. Its link makes the whole card clickable. */
export function CardTitle({ to, label, children }: CardTitleProps): ReactNode {
  return (
    <h2>
      <Link to={to} className={`${styles.link} inherit plain no-outline`} aria-label={label}>
        {children}
      </Link>
    </h2>
  );
}

/** The buttons at the bottom of a card: spread out, a single one at the right. */
export const CardActions = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={`${styles.actions} split gap-2 mt-auto pt-2`}>{children}</div>
);

type LoadedListProps<Item> = {
  readonly query: UseQueryResult<readonly Item[]>;
  /** Shown instead of an empty list. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
};

/**
 * Shows a list from the server: skeletons while it loads, `empty` if it has no items. When the query fails, the earlier list
 * stays, with a message and a button that retries.
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

/** Placeholders for cards that are loading. */
export function CardSkeletons() {
  return (
    <div role="status" className="cards">
      <span className="sr-only">De lijst wordt geladen</span>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className={`${styles.skeleton} column gap-1 surface p-4 shrink`} aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
