import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { plainNumber } from '#shared/domain/nl.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import { EmptyState } from './empty-state.tsx';
import styles from './searched-list.module.css';

/** Fewer are found by looking. */
export const SEARCH_ABOVE = 20;

type SearchedListProps<Item> = {
  readonly items: readonly Item[];
  /** What a person may look for in an item. */
  readonly textOf: (item: Item) => string;
  /** 'Zoek een account'. */
  readonly label: string;
  readonly placeholder: string;
  /** Two or more of them: 'accounts'. */
  readonly plural: string;
  /** Draws some that were found, at least one, as items of a list. */
  readonly children: (found: readonly Item[]) => ReactNode;
};

/** A list with a field to search in it once it is long; a very long one comes in portions. */
export function SearchedList<Item>(props: SearchedListProps<Item>): ReactNode {
  const { items, textOf, label, placeholder, plural, children } = props;
  const [question, setQuestion] = useState('');
  const asked = useDeferredValue(question);
  if (items.length <= SEARCH_ABOVE) return children(items);
  const found = searchByWords(items, asked, textOf);
  return (
    <>
      <SearchField
        label={label}
        placeholder={placeholder}
        value={question}
        onChange={setQuestion}
        found={
          found.length === items.length
            ? `${countOf(items)} ${plural}`
            : `${countOf(found)} van ${countOf(items)} ${plural}`
        }
      />
      {found.length > 0 ? (
        <Portions items={found} plural={plural}>
          {children}
        </Portions>
      ) : (
        <EmptyState title="Niets gevonden">
          <p>Probeer minder of andere letters.</p>
        </EmptyState>
      )}
    </>
  );
}

const countOf = ({ length }: readonly unknown[]): string => plainNumber(length);

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** How much was found, in words: it is said by a screen reader. */
  readonly found: ReactNode;
};

/** Words to look for above a long list, and how much was found. */
export function SearchField({ label, placeholder, value, onChange, found }: SearchFieldProps) {
  return (
    <search className={styles.search}>
      <TextInput
        type="search"
        size="md"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p role="status" className={styles.found}>
        {found}
      </p>
    </search>
  );
}

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
function Portions<Item>({ items, plural, children }: PortionsProps<Item>): ReactNode {
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
