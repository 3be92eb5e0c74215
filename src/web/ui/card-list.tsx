/** Lists of cards: from the server, with grey ones while they come, and what is in a card. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './card-list.module.css';
import { RetryAlert } from './notice.tsx';

type CardListProps<Item> = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  /** What is in a card: a heading and the rest. */
  readonly children: (item: Item) => ReactNode;
};

/** Cards in as many columns as fit. Cards out of sight cost the browser no drawing. */
export function CardList<Item>({ label, items, keyOf, children }: CardListProps<Item>): ReactNode {
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => (
        <li key={keyOf(item)} className={styles.card}>
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

type CardTitleProps = {
  readonly to: string;
  /** What a screen reader says of the card: its title alone may stand on many cards. */
  readonly label: string;
  readonly children: ReactNode;
};

/** The heading of a card, whose link makes the whole card a target. */
export function CardTitle({ to, label, children }: CardTitleProps): ReactNode {
  return (
    <h2>
      <Link to={to} className={styles.link!} aria-label={label}>
        {children}
      </Link>
    </h2>
  );
}

/** The buttons at the foot of a card: apart from each other, a single one at the right. */
export const CardActions = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={styles.actions}>{children}</div>
);

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

/** Stands in for the cards while they are on their way. */
export function CardSkeletons() {
  return (
    <div role="status" className={styles.list}>
      <span className="sr-only">De lijst wordt geladen</span>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className={styles.skeleton} aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
