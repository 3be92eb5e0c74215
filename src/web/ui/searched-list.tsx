import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatNumber } from '#shared/domain/nl.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import { EmptyState } from './empty-state.tsx';
import styles from './searched-list.module.css';

/** Lists up to this length have no search field. */
export const MAX_ITEMS_WITHOUT_SEARCH = 20;

type SearchedListProps<Item> = {
  readonly items: readonly Item[];
  /** Returns the searchable text of an item. */
  readonly textOf: (item: Item) => string;
  /** Label of the search field: 'Zoek een account'. */
  readonly label: string;
  readonly placeholder: string;
  /** Plural of the items: 'accounts'. */
  readonly plural: string;
  /** Renders at least one found item as a list. */
  readonly children: (found: readonly Item[]) => ReactNode;
};

/** A list with a search field if it is long; a very long list is shown in portions. */
export function SearchedList<Item>(props: SearchedListProps<Item>): ReactNode {
  const { items, textOf, label, placeholder, plural, children } = props;
  const [query, setQuery] = useState('');
  const deferredQuery = useDeferredValue(query);
  if (items.length <= MAX_ITEMS_WITHOUT_SEARCH) return children(items);
  const found = searchByWords(items, deferredQuery, textOf);
  return (
    <>
      <SearchField
        label={label}
        placeholder={placeholder}
        value={query}
        onChange={setQuery}
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

const countOf = ({ length }: readonly unknown[]): string => formatNumber(length);

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Text with the number of results, which a screen reader announces. */
  readonly found: ReactNode;
};

/** A search field above a long list, with the number of results. */
export function SearchField({ label, placeholder, value, onChange, found }: SearchFieldProps) {
  return (
    <search className={`${styles.search} gap-2 middle mb-4`}>
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
      <p role="status" className="quiet">
        {found}
      </p>
    </search>
  );
}

/** Items rendered at a time; a thousand cards are slow on a phone. */
const PORTION = 100;

type PortionsProps<Item> = {
  readonly items: readonly Item[];
  /** Plural of the items: 'machines'. */
  readonly plural: string;
  /** Renders some items as a list. */
  readonly children: (shown: readonly Item[]) => ReactNode;
};

/** The beginning of a long list, and a button that shows more. Keeps the elements below the list within reach. */
function Portions<Item>({ items, plural, children }: PortionsProps<Item>): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(PORTION);
  const more = (): void => {
    flushSync(() => setMost(most + PORTION));
    // The button may have disappeared, so the focus moves to the first new item.
    place.current?.querySelectorAll('li')[most]?.querySelector<HTMLElement>('a, button')?.focus();
  };
  return (
    <div ref={place}>
      {children(items.slice(0, most))}
      {items.length > most && (
        <div className="cluster gap-2-4 mt-4 quiet">
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
