import { expect, test } from 'vitest';
import { aFleetEntry, aLiveAnswer } from '#web/test/live-example.ts';
import {
  applyLiveChange,
  applyLiveSlice,
  liveChangeOf,
  liveSnapshotJson,
  SLICE_ROWS,
} from './live-change.ts';
import { type FleetEntry, type LiveSnapshot, parseLiveSnapshot } from './live-snapshot.ts';

const NAMES = ['A', 'B', 'C'];
const first = parseLiveSnapshot(aLiveAnswer(...NAMES.map((name) => aFleetEntry(name))))!;

/**
 * Does what the worker and the page do: computes the change from the worker's live data to `answer`, and applies the
 * slices of the change to the page's live data. `rows`: number of changed entries that were sent.
 */
function crossed(answer: string, inWorker: LiveSnapshot | undefined, inPage: LiveSnapshot | undefined) {
  const change = liveChangeOf(parseLiveSnapshot(answer, inWorker)!, inWorker);
  if (!change) return { image: inPage!, rows: 0 };
  const changed = new Map<string, FleetEntry>();
  for (const slice of change.slices) applyLiveSlice(slice, inPage, changed);
  return { image: applyLiveChange(inPage, changed, change.keys), rows: changed.size, change };
}
const inPage = crossed(aLiveAnswer(...first.entries), undefined, undefined).image;

const renamed = { ...aFleetEntry('B'), metadata: { ...aFleetEntry('B').metadata, alias: 'Reus' } };
test.each<[string, FleetEntry[], number]>([
  ['nothing', NAMES.map((name) => aFleetEntry(name)), 0],
  ['a reading', [aFleetEntry('A'), aFleetEntry('B', { GMT_UNIX: 1_790_000_005 }), aFleetEntry('C')], 1],
  ['a new signal', [aFleetEntry('A'), aFleetEntry('B', { MotorSpeed: 9 }), aFleetEntry('C')], 1],
  ['a name', [aFleetEntry('A'), renamed, aFleetEntry('C')], 1],
  ['a new machine', [...NAMES, 'D'].map((name) => aFleetEntry(name)), 1],
  ['a removed machine', [aFleetEntry('A'), aFleetEntry('C')], 0],
  ['the last machine that is removed', [], 0],
  ['the order', ['C', 'A', 'B'].map((name) => aFleetEntry(name)), 0],
  ['everything', [aFleetEntry('D'), renamed, aFleetEntry('A', { Soc1: 3 })], 3],
])(
  'a change of %s sends only the changed entries, and unchanged entries stay the same objects (LIVE-02, MAP-13)',
  (_, entries, rows) => {
    const { image, rows: sent } = crossed(aLiveAnswer(...entries), first, inPage);
    expect(image.entries).toEqual(entries);
    expect([...image.byKey.values()]).toEqual(entries);
    expect(sent).toBe(rows);
    for (const [key, entry] of image.byKey) {
      const before = inPage.byKey.get(key);
      if (before && JSON.stringify(before) === JSON.stringify(entry)) expect(entry).toBe(before);
    }
  },
);

test('the change after a new reading contains no metadata, and the page’s metadata object stays the same (LIVE-02)', () => {
  const { image, change } = crossed(
    aLiveAnswer(aFleetEntry('A', { Soc1: 1 }), ...first.entries.slice(1)),
    first,
    inPage,
  );
  expect(change?.keys).toBeUndefined();
  expect(change?.slices.join('')).not.toContain('Graver');
  expect(image.entries[0]!.metadata).toBe(inPage.entries[0]!.metadata);
});

test('a complete answer that equals the page’s live data keeps the page’s objects (LIVE-02)', () => {
  const { image } = crossed(aLiveAnswer(...first.entries), undefined, inPage);
  expect(image.entries).toBe(inPage.entries);
  expect(image.byKey).toBe(inPage.byKey);
});

test('the live data of a large fleet are sent in slices of SLICE_ROWS machines (MAP-13)', () => {
  const many = Array.from({ length: 2 * SLICE_ROWS + 1 }, (_, n) => aFleetEntry(`M${n}`));
  const image = parseLiveSnapshot(aLiveAnswer(...many))!;
  expect(liveChangeOf(image, undefined)?.slices.map((slice) => JSON.parse(slice).length)).toEqual([
    SLICE_ROWS,
    SLICE_ROWS,
    1,
  ]);
  expect(crossed(aLiveAnswer(...many), undefined, undefined).image.entries).toEqual(many);
});

test('the JSON of a live snapshot equals the server’s answer, also with numeric keys (LIVE-02)', () => {
  const answer = aLiveAnswer(aFleetEntry('VO-1'), aFleetEntry('0012'), aFleetEntry('7'));
  expect(liveSnapshotJson(parseLiveSnapshot(answer)!)).toBe(answer);
});

test('applying a change to live data other than those it was computed from throws (LIVE-02)', () => {
  const change = liveChangeOf(
    parseLiveSnapshot(aLiveAnswer(aFleetEntry('A', { Soc1: 1 }), ...first.entries.slice(1)), first)!,
    first,
  )!;
  expect(() => applyLiveSlice(change.slices[0]!, undefined, new Map())).toThrow(/not known/);
  expect(() => applyLiveChange(undefined, new Map(), ['A'])).toThrow(/No data/);
});
