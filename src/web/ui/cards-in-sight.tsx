import { type FocusEvent, type ReactNode, useRef, useState } from 'react';
import styles from './cards-in-sight.module.css';
import { useRowsInSight } from './rows-in-sight.ts';

type CardsInSightProps<Item> = {
  readonly items: readonly Item[];
  readonly label: string;
  /** What an item is known by, wherever in the list it is. */
  readonly keyOf: (item: Item) => string;
  /** How high a card is, with the air below it. */
  readonly rem: number;
  /** Beside each other. */
  readonly across: number;
  readonly children: (item: Item) => ReactNode;
};

/** Cards of one height that scroll with the page; only those in sight exist, and the one with the focus. */
export function CardsInSight<Item>(props: CardsInSightProps<Item>): ReactNode {
  const { items, label, keyOf, rem, across, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string>();
  const focusedAt = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);
  const lines = Math.ceil(items.length / across);
  const shown = useRowsInSight(list, lines, rem, focusedAt < 0 ? -1 : Math.floor(focusedAt / across));
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
  };
  return (
    <ul
      ref={list}
      className={styles.cards}
      aria-label={label}
      style={{ height: `${lines * rem}rem` }}
      onBlur={onBlur}
    >
      {shown.flatMap((line) =>
        items.slice(line * across, (line + 1) * across).map((item, n) => (
          <li
            key={keyOf(item)}
            className={styles.place}
            style={{
              top: `${line * rem}rem`,
              left: `${(n / across) * 100}%`,
              width: `${100 / across}%`,
              height: `${rem}rem`,
            }}
            aria-setsize={items.length}
            aria-posinset={line * across + n + 1}
            onFocus={() => setFocused(keyOf(item))}
          >
            {children(item)}
          </li>
        )),
      )}
    </ul>
  );
}
