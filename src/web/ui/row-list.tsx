import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { remPx } from '#web/lib/rem.ts';
import styles from './row-list.module.css';

type RowListProps<Item> = {
  readonly items: readonly Item[];
  /** What an item is known by, wherever in the list it is. */
  readonly keyOf: (item: Item) => string;
  /** rem; every row is this high. */
  readonly rowRem: number;
  /** What a row shows: one link or button. */
  readonly children: (item: Item) => ReactNode;
};

/**
 * A long list of equally high rows that scrolls within its parent's max-height. Only the rows in sight exist, and the
 * one with the focus, which it keeps wherever the list is scrolled or sorted to. Tab goes from row to row; the arrow
 * keys, Home, End, PageUp and PageDown move the focus too.
 */
export function RowList<Item>({ items, keyOf, rowRem, children }: RowListProps<Item>): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [topRow, setTopRow] = useState(0);
  // No list is higher than the window; the first look tells how high it is.
  const [rowsHigh, setRowsHigh] = useState(() => window.innerHeight / (rowRem * remPx()));
  const [focused, setFocused] = useState<string>();
  const focusedAt = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);

  useEffect(() => {
    const view = box.current!;
    const look = (): void => {
      const rowPx = rowRem * remPx();
      // Whole rows: a smaller movement changes nothing.
      setTopRow(Math.floor(view.scrollTop / rowPx));
      setRowsHigh(view.clientHeight / rowPx);
    };
    const resized = new ResizeObserver(look);
    resized.observe(view);
    // Another text size makes all rows together higher, the view perhaps not.
    resized.observe(list.current!);
    view.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      view.removeEventListener('scroll', look);
    };
  }, [rowRem]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = rowAfterKey(event.key, focusedAt, items.length, rowsHigh);
    if (focusedAt < 0 || next === undefined) return;
    event.preventDefault();
    // A row must exist to get the focus.
    flushSync(() => setFocused(keyOf(items[next]!)));
    list.current?.querySelector<HTMLElement>(`[aria-posinset="${next + 1}"] :is(a, button)`)?.focus();
  }

  /** On the way to another row nothing changes: that row must still be there when the focus arrives. */
  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
  }

  return (
    <div ref={box} className={styles.box}>
      <ul
        ref={list}
        className={styles.rows}
        style={{ height: `${items.length * rowRem}rem` }}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      >
        {rowsToDraw(topRow, rowsHigh, items.length, focusedAt).map((at) => {
          const item = items[at]!;
          const key = keyOf(item);
          return (
            <li
              key={key}
              aria-setsize={items.length}
              aria-posinset={at + 1}
              className={styles.row}
              style={{ top: `${at * rowRem}rem`, height: `${rowRem}rem` }}
              onFocus={() => setFocused(key)}
            >
              {children(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Rows kept ready above and below, so that a flick of the thumb finds them there. */
const SPARE_ROWS = 6;

/**
 * Row numbers to draw, ascending, always within `count`: those in sight, some spare ones, and the one with the focus
 * (`focusedAt`, -1: none) between its neighbours, so that Tab and Shift+Tab find them wherever the list is scrolled to.
 *
 * @param topRow the row at the top of the view
 * @param rowsHigh how many rows high the view is, with a fraction
 */
export function rowsToDraw(topRow: number, rowsHigh: number, count: number, focusedAt: number): number[] {
  // The browser scrolls a list that became shorter back, but tells only after it was shown.
  const top = Math.max(0, Math.min(topRow, count - Math.floor(rowsHigh)));
  const from = Math.max(0, top - SPARE_ROWS);
  // One more: the row at the top may be half out of sight.
  const end = Math.min(count, Math.ceil(top + rowsHigh) + 1 + SPARE_ROWS);
  const inSight = Array.from({ length: end - from }, (_, index) => from + index);
  if (focusedAt < 0 || focusedAt >= count) return inSight;
  const focused = [focusedAt - 1, focusedAt, focusedAt + 1].filter((at) => at >= 0 && at < count);
  return [...new Set([...inSight, ...focused])].sort((a, b) => a - b);
}

/**
 * Where a key moves the focus from row `at`; undefined when it is no key of a list. PageUp and PageDown leave one row
 * of a view `rowsHigh` rows high in sight.
 */
export function rowAfterKey(key: string, at: number, count: number, rowsHigh: number): number | undefined {
  const page = Math.max(1, Math.floor(rowsHigh) - 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, to));
}
