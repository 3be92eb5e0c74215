import { type ReactNode, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatNumber } from '#shared/domain/nl.ts';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import styles from './label-bar.module.css';
import { LabelChip } from './label-chips.tsx';
import {
  filterByLabels,
  isLabelFilterActive,
  type LabelFilter,
  labelFilterOf,
  withLabelFilter,
} from './label-filter.ts';
import { useLabels } from './labels.ts';

/** Returns the filter by labels and favourites in the address, and a function that replaces it. */
export function useLabelFilter(): [LabelFilter, (filter: LabelFilter) => void] {
  const [search] = useSearchParams();
  const changeSearch = useChangeSearchParams();
  const filter = useMemo(() => labelFilterOf(search), [search]);
  return [filter, (next) => changeSearch((now) => withLabelFilter(now, next))];
}

/** Returns the items that pass the filter, in the given order. @param serialOf must be the same function at each render */
export function useMachinesWithLabels<Item>(
  items: readonly Item[],
  filter: LabelFilter,
  serialOf: (item: Item) => string,
): readonly Item[] {
  const labels = useLabels();
  return useMemo(() => filterByLabels(items, filter, labels, serialOf), [items, filter, labels, serialOf]);
}

/** Number of labels that are shown before 'Alle … labels'. */
const SHOWN = 8;

type LabelBarProps = {
  readonly filter: LabelFilter;
  readonly onChange: (filter: LabelFilter) => void;
  /** Shows one scrolling row, for small spaces. */
  readonly isTight?: boolean;
};

/** Toggle buttons for favourites and labels; nothing if there are none. */
export function LabelBar({ filter, onChange, isTight }: LabelBarProps): ReactNode {
  const { labels, favourites } = useLabels();
  const [isWhole, setIsWhole] = useState(false);
  if (labels.length === 0 && favourites === 0 && !isLabelFilterActive(filter)) return null;
  const isChosen = (id: number): boolean => filter.labels.includes(id);
  const shown = isWhole ? labels : labels.filter(({ _id }, at) => at < SHOWN || isChosen(_id));
  const showsOrganization = labels.some(({ organization }) => organization !== labels[0]?.organization);
  return (
    <fieldset className={`${styles.bar} cluster`} data-tight={isTight || undefined}>
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
          {showsOrganization && <span className="quiet smaller">{label.cleanorg}</span>}
        </button>
      ))}
      {labels.length > SHOWN && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Minder labels' : `Alle ${formatNumber(labels.length)} labels`}
        </button>
      )}
    </fieldset>
  );
}
