import { type ReactNode, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { plainNumber } from '#shared/domain/nl.ts';
import styles from './label-bar.module.css';
import { LabelChip } from './label-chips.tsx';
import {
  filterByLabels,
  isLimited,
  type LabelFilter,
  labelFilterOf,
  withLabelFilter,
} from './label-filter.ts';
import { useLabels } from './labels.ts';

/** What of labels and favourites stands in the address; a change takes the place of what stood there. */
export function useLabelFilter(): [LabelFilter, (filter: LabelFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => labelFilterOf(search), [search]);
  return [filter, (next) => setSearch((now) => withLabelFilter(now, next), { replace: true })];
}

/** Of a list of machines those that the filter leaves, in the order given. @param serialOf the same function each time */
export function useLabelled<Item>(
  items: readonly Item[],
  filter: LabelFilter,
  serialOf: (item: Item) => string,
): readonly Item[] {
  const labels = useLabels();
  return useMemo(() => filterByLabels(items, filter, labels, serialOf), [items, filter, labels, serialOf]);
}

/** More of them are behind a button. */
const SHOWN = 8;

type LabelBarProps = {
  readonly filter: LabelFilter;
  readonly onChange: (filter: LabelFilter) => void;
  /** In one row, where there is little room. */
  readonly isTight?: boolean;
};

/** Favourites, and labels to choose from: each pressed on or off. Nothing where there are none. */
export function LabelBar({ filter, onChange, isTight }: LabelBarProps): ReactNode {
  const { labels, favourites } = useLabels();
  const [isWhole, setIsWhole] = useState(false);
  if (labels.length === 0 && favourites === 0 && !isLimited(filter)) return null;
  const isChosen = (id: number): boolean => filter.labels.includes(id);
  const shown = isWhole ? labels : labels.filter(({ _id }, at) => at < SHOWN || isChosen(_id));
  const tellsWhose = labels.some(({ organization }) => organization !== labels[0]?.organization);
  return (
    <fieldset className={styles.bar} data-tight={isTight || undefined}>
      <legend className="sr-only">Toon alleen favorieten of machines met een label</legend>
      {(favourites > 0 || filter.favourites) && (
        <button
          type="button"
          className={styles.toggle}
          aria-pressed={filter.favourites}
          onClick={() => onChange({ ...filter, favourites: !filter.favourites })}
        >
          <span aria-hidden="true">★</span> Favorieten
        </button>
      )}
      {shown.map((label) => (
        <button
          key={label._id}
          type="button"
          className={styles.toggle}
          aria-pressed={isChosen(label._id)}
          onClick={() =>
            onChange({
              ...filter,
              labels: isChosen(label._id)
                ? filter.labels.filter((id) => id !== label._id)
                : [...filter.labels, label._id],
            })
          }
        >
          <LabelChip label={label} />
          {tellsWhose && <span className={styles.whose}>{label.cleanorg}</span>}
        </button>
      ))}
      {labels.length > SHOWN && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Minder labels' : `Alle ${plainNumber(labels.length)} labels`}
        </button>
      )}
    </fieldset>
  );
}
