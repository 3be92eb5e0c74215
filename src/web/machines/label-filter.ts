/** The filter by labels and favourites in the address. */
import type { FleetLabels } from './fleet-labels.ts';

export type LabelFilter = {
  /** Ids of labels; machines with any of these labels pass. Empty: all machines pass. */
  readonly labels: readonly number[];
  readonly favourites: boolean;
};
export const NO_LABEL_FILTER: LabelFilter = { labels: [], favourites: false };

const MAX_IDS = 200;

/** Parses '?label=3,7&favoriet'. Ignores invalid values, because people may type an address. */
export function labelFilterOf(search: URLSearchParams): LabelFilter {
  const ids = (search.get('label') ?? '')
    .split(',')
    .filter((text) => /^[1-9]\d{0,9}$/.test(text))
    .map(Number);
  return { labels: [...new Set(ids)].slice(0, MAX_IDS), favourites: search.has('favoriet') };
}

/** Returns the query string with this filter. Keeps other parameters. */
export function withLabelFilter(
  search: URLSearchParams,
  { labels, favourites }: LabelFilter,
): URLSearchParams {
  const next = new URLSearchParams(search);
  if (labels.length > 0) next.set('label', labels.join(','));
  else next.delete('label');
  if (favourites) next.set('favoriet', '');
  else next.delete('favoriet');
  return next;
}

/** Returns whether the filter limits the machines. */
export const isLabelFilterActive = ({ labels, favourites }: LabelFilter): boolean =>
  labels.length > 0 || favourites;

/** Returns the items that pass the filter, in the given order; the given array itself if the filter is empty. */
export function filterByLabels<Item>(
  items: readonly Item[],
  filter: LabelFilter,
  { ofMachine, isFavourite }: Pick<FleetLabels, 'ofMachine' | 'isFavourite'>,
  serialOf: (item: Item) => string,
): readonly Item[] {
  if (!isLabelFilterActive(filter)) return items;
  const wanted = new Set(filter.labels);
  return items.filter((item) => {
    const serial = serialOf(item);
    if (filter.favourites && !isFavourite(serial)) return false;
    return wanted.size === 0 || ofMachine(serial).some(({ _id }) => wanted.has(_id));
  });
}
