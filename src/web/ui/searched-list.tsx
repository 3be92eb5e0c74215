import { type ReactNode, useDeferredValue, useState } from 'react';
import { plainNumber } from '#shared/domain/nl.ts';
import { searchByWords } from '#shared/domain/word-search.ts';
import { EmptyState } from './empty-state.tsx';
import { Portions } from './portions.tsx';
import { SearchField } from './search-field.tsx';

/** Fewer are found by looking. */
const SEARCH_ABOVE = 20;

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
