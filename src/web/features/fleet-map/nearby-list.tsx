import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Nearby } from '#shared/domain/distance.ts';
import type { LiveEntry } from '#shared/domain/live.ts';
import { rowAfterKey, rowsToDraw } from './list-window.ts';
import styles from './nearby-list.module.css';
import { NearbyRow } from './nearby-row.tsx';

/** px; a finger's size, and the same for every row (nearby-list.module.css). */
const ROW_PX = 44;

type NearbyListProps = {
  readonly rows: readonly Nearby<LiveEntry>[];
  readonly now: number;
  readonly onChoose: (entry: LiveEntry) => void;
};

const keyOf = ({ item }: Nearby<LiveEntry>): string => item.metadata.serialNumber;

/**
 * Rows of which only those in view exist, and the one that has the focus. Tab goes from row to row; the arrow
 * keys, Home, End, PageUp and PageDown too.
 */
export function NearbyList({ rows, now, onChoose }: NearbyListProps): ReactNode {
  const view = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewHeight, setViewHeight] = useState(0);
  const [focusKey, setFocusKey] = useState<string>();
  /** Set by a key: the row that gets the focus as soon as it exists. */
  const wantsFocus = useRef(false);
  const focusRow = useRef<HTMLLIElement>(null);

  useEffect(() => {
    const resized = new ResizeObserver(() => setViewHeight(view.current?.clientHeight ?? 0));
    resized.observe(view.current!);
    return () => resized.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focusRow.current?.querySelector<HTMLElement>('a, button')?.focus();
  });

  const { from, to } = rowsToDraw(scrollTop, viewHeight, ROW_PX, rows.length);
  const focusAt = focusKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === focusKey);
  const drawn = Array.from({ length: to - from }, (_, i) => from + i);
  if (focusAt >= 0 && (focusAt < from || focusAt >= to)) drawn.push(focusAt);

  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(viewHeight / ROW_PX) - 1);
    const next = rowAfterKey(event.key, focusAt, rows.length, page);
    if (focusAt < 0 || next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    setFocusKey(keyOf(rows[next]!));
  }

  return (
    <div ref={view} className={styles.view} onScroll={(event) => setScrollTop(rowTop(event.currentTarget))}>
      <ul
        className={styles.rows}
        style={{ height: rows.length * ROW_PX }}
        onKeyDown={onKeyDown}
        onBlur={() => setFocusKey(undefined)}
      >
        {drawn.map((at) => {
          const row = rows[at]!;
          const key = keyOf(row);
          return (
            <li
              key={key}
              ref={key === focusKey ? focusRow : null}
              className={styles.row}
              style={{ top: at * ROW_PX }}
              aria-posinset={at + 1}
              aria-setsize={rows.length}
              onFocus={() => setFocusKey(key)}
            >
              <NearbyRow entry={row.item} metres={row.metres} now={now} onChoose={onChoose} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** To whole rows: a smaller movement changes nothing. */
const rowTop = ({ scrollTop }: HTMLElement): number => Math.floor(scrollTop / ROW_PX) * ROW_PX;
