import { type FocusEvent, type ReactNode, useRef, useState } from 'react';
import styles from './virtual-cards.module.css';
import { useVisibleRows } from './visible-rows.ts';

type VirtualCardsProps<Item> = {
  readonly items: readonly Item[];
  readonly label: string;
  /** Returns the identity of an item, independent of its position. */
  readonly keyOf: (item: Item) => string;
  /** Height of a card in rem, including the space below it. */
  readonly rem: number;
  /** Number of cards beside each other. */
  readonly across: number;
  readonly children: (item: Item) => ReactNode;
};

/**
 * A virtual list of cards of equal height that scrolls with the page. Renders only the visible cards and the
 * focused one.
 */
export function VirtualCards<Item>(props: VirtualCardsProps<Item>): ReactNode {
  const { items, label, keyOf, rem, across, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string>();
  const focusedAt = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);
  const lines = Math.ceil(items.length / across);
  const shown = useVisibleRows(list, lines, rem, focusedAt < 0 ? -1 : Math.floor(focusedAt / across));
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
