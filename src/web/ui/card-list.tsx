import type { ReactNode } from 'react';
import styles from './card-list.module.css';

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
