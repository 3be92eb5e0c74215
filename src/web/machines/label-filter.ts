/** Which labels the fleet is limited to, and whether to favourites, as it stands in the address. */
import type { FleetLabels } from './fleet-labels.ts';

export type LabelFilter = {
  /** Ids: machines that carry any of them; none: all machines. */
  readonly labels: readonly number[];
  readonly favourites: boolean;
};
export const ANY_LABEL: LabelFilter = { labels: [], favourites: false };

const MOST_IDS = 200;

/** '?label=3,7&favoriet'. What cannot be is left out: an address may be typed. */
export function labelFilterOf(search: URLSearchParams): LabelFilter {
  const ids = (search.get('label') ?? '')
    .split(',')
    .filter((text) => /^[1-9]\d{0,9}$/.test(text))
    .map(Number);
  return { labels: [...new Set(ids)].slice(0, MOST_IDS), favourites: search.has('favoriet') };
}

/** The address's search with these in it; what else stands there stays. */
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

/** Whether machines are left out at all. */
export const isLimited = ({ labels, favourites }: LabelFilter): boolean => labels.length > 0 || favourites;

/** Those that the filter leaves, in the order given; without a limit the very list. */
export function filterByLabels<Item>(
  items: readonly Item[],
  filter: LabelFilter,
  { ofMachine, isFavourite }: Pick<FleetLabels, 'ofMachine' | 'isFavourite'>,
  serialOf: (item: Item) => string,
): readonly Item[] {
  if (!isLimited(filter)) return items;
  const wanted = new Set(filter.labels);
  return items.filter((item) => {
    const serial = serialOf(item);
    if (filter.favourites && !isFavourite(serial)) return false;
    return wanted.size === 0 || ofMachine(serial).some(({ _id }) => wanted.has(_id));
  });
}
