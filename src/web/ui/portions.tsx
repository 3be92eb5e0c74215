import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './portions.module.css';

/** Drawn at once; a thousand cards would make a slow phone wait. */
const PORTION = 100;

type PortionsProps<Item> = {
  readonly items: readonly Item[];
  /** Two or more of them: 'machines'. */
  readonly plural: string;
  /** Draws some of them, as items of a list. */
  readonly children: (shown: readonly Item[]) => ReactNode;
};

/** The beginning of a long list, and a button for more of it. What comes below the list stays in reach. */
export function Portions<Item>({ items, plural, children }: PortionsProps<Item>): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(PORTION);
  const more = (): void => {
    flushSync(() => setMost(most + PORTION));
    // The button may be gone now: the first new one goes on where it was.
    place.current?.querySelectorAll('li')[most]?.querySelector<HTMLElement>('a, button')?.focus();
  };
  return (
    <div ref={place}>
      {children(items.slice(0, most))}
      {items.length > most && (
        <div className={styles.more}>
          <Button variant="default" size="md" onClick={more}>
            Toon meer {plural}
          </Button>
          <span>
            {most} van {items.length}
          </span>
        </div>
      )}
    </div>
  );
}
