import { expect, test } from 'vitest';
import { labelsByMachine } from './fleet-labels.ts';
import {
  filterByLabels,
  isLabelFilterActive,
  type LabelFilter,
  labelFilterOf,
  NO_LABEL_FILTER,
  withLabelFilter,
} from './label-filter.ts';

test.each<[string, LabelFilter, string]>([
  ['', NO_LABEL_FILTER, ''],
  ['label=3,7', { labels: [3, 7], favourites: false }, 'label=3%2C7'],
  ['favoriet', { labels: [], favourites: true }, 'favoriet='],
  ['label=7&favoriet=', { labels: [7], favourites: true }, 'label=7&favoriet='],
  ['label=3,3,x,-1,0,1e3,99999999999,4.5', { labels: [3], favourites: false }, 'label=3'],
  ['label=', NO_LABEL_FILTER, ''],
])(
  'the filter by labels and favourites is read from and written to the address ?%s (15.2n)',
  (search, filter, written) => {
    expect(labelFilterOf(new URLSearchParams(search))).toEqual(filter);
    expect(withLabelFilter(new URLSearchParams(), filter).toString()).toBe(written);
  },
);

test('writing the filter keeps other parameters of the address (15.2n)', () => {
  const search = new URLSearchParams('staat=laden&label=3&favoriet');
  expect(withLabelFilter(search, NO_LABEL_FILTER).toString()).toBe('staat=laden');
});

const label = (_id: number, ...machines: string[]) =>
  ({ _id, labelName: `L${_id}`, labelColour: 'blue', organization: 'k', cleanorg: 'K', machines }) as const;
const LABELS = labelsByMachine({
  labels: [label(1, 'A', 'B'), label(2, 'B', 'C')].map((one) => ({ ...one, machines: [...one.machines] })),
  favourites: ['B', 'D'],
});
const FLEET = ['D', 'C', 'B', 'A'];

test.each<[Partial<LabelFilter>, string[]]>([
  [{}, FLEET],
  [{ labels: [1] }, ['B', 'A']],
  [{ labels: [1, 2] }, ['C', 'B', 'A']],
  [{ labels: [9] }, []],
  [{ favourites: true }, ['D', 'B']],
  [{ labels: [2], favourites: true }, ['B']],
])('the filter %j keeps the machines with any of the labels, %j, in their order (15.2n)', (changed, left) => {
  const filter = { ...NO_LABEL_FILTER, ...changed };
  expect(filterByLabels(FLEET, filter, LABELS, (serial) => serial)).toEqual(left);
  if (!isLabelFilterActive(filter))
    expect(filterByLabels(FLEET, filter, LABELS, (serial) => serial)).toBe(FLEET);
});
