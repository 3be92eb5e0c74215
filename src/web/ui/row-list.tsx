import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { remPx } from '#web/lib/rem.ts';
import styles from './row-list.module.css';

type RowListProps<Item> = {
  readonly items: readonly Item[];
  /** Returns the identity of an item, independent of its position. */
  readonly keyOf: (item: Item) => string;
  /** Height of every row, in rem. */
  readonly rowRem: number;
  /** Renders a row: one link or button. */
  readonly children: (item: Item) => ReactNode;
};

/**
 * A virtual list of rows of equal height that scrolls within its parent's max-height. Renders only the visible
 * rows and the focused one, which keeps the focus when the list is scrolled or sorted. Tab, the arrow keys,
 * Home, End, PageUp and PageDown move the focus.
 */
export function RowList<Item>({ items, keyOf, rowRem, children }: RowListProps<Item>): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [topRow, setTopRow] = useState(0);
  // The window's height is an upper limit until the list is measured.
  const [rowsHigh, setRowsHigh] = useState(() => window.innerHeight / (rowRem * remPx()));
  const [focused, setFocused] = useState<string>();
  const focusedAt = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);

  useEffect(() => {
    const view = box.current!;
    const measure = (): void => {
      const rowPx = rowRem * remPx();
      // Rounds to whole rows, so that scrolling by less than a row causes no render.
      setTopRow(Math.floor(view.scrollTop / rowPx));
      setRowsHigh(view.clientHeight / rowPx);
    };
    const resized = new ResizeObserver(measure);
    resized.observe(view);
    // Observes the list too, because a change of the text size changes the height of the rows, but may not change that
    // of the view.
    resized.observe(list.current!);
    view.addEventListener('scroll', measure, { passive: true });
    return () => {
      resized.disconnect();
      view.removeEventListener('scroll', measure);
    };
  }, [rowRem]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = rowAfterKey(event.key, focusedAt, items.length, rowsHigh);
    if (focusedAt < 0 || next === undefined) return;
    event.preventDefault();
    // Renders the row first, because only an existing row can get the focus.
    flushSync(() => setFocused(keyOf(items[next]!)));
    list.current?.querySelector<HTMLElement>(`[aria-posinset="${next + 1}"] :is(a, button)`)?.focus();
  }

  /** Ignores a blur towards another row, which must still exist when it gets the focus. */
  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
  }

  return (
    <div ref={box} className={styles.box}>
      <ul
        ref={list}
        className="relative"
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

/** Rows rendered above and below the visible ones, for fast scrolling. */
const SPARE_ROWS = 6;

/**
 * Returns the numbers of the rows to render, ascending and within `count`: the visible rows, some spare ones,
 * and the focused row (`focusedAt`, -1: none) with its neighbours, so that Tab and Shift+Tab find them wherever
 * the list is scrolled to.
 * @param topRow the row at the top of the view
 * @param rowsHigh height of the view in rows, with a fraction
 */
export function rowsToDraw(topRow: number, rowsHigh: number, count: number, focusedAt: number): number[] {
  // When a list becomes shorter, the browser scrolls back, but sends its scroll event only after drawing.
  const top = Math.max(0, Math.min(topRow, count - Math.floor(rowsHigh)));
  const from = Math.max(0, top - SPARE_ROWS);
  // Adds one, because the row at the top may be half visible.
  const end = Math.min(count, Math.ceil(top + rowsHigh) + 1 + SPARE_ROWS);
  const inSight = Array.from({ length: end - from }, (_, index) => from + index);
  if (focusedAt < 0 || focusedAt >= count) return inSight;
  const focused = [focusedAt - 1, focusedAt, focusedAt + 1].filter((at) => at >= 0 && at < count);
  return [...new Set([...inSight, ...focused])].sort((a, b) => a - b);
}

/**
 * Returns the row to which a key moves the focus from row `at`; undefined for other keys. PageUp and PageDown move by the
 * view's height (`rowsHigh` rows) minus one row.
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
