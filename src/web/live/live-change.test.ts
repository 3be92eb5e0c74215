import { expect, test } from 'vitest';
import { aLiveAnswer, aSeenEntry } from '#web/test/live-example.ts';
import { changeOf, imageAfter, readSlice, SLICE_ROWS, textOf } from './live-change.ts';
import { imageOf, type LiveImage, type SeenEntry } from './live-image.ts';

const NAMES = ['A', 'B', 'C'];
const first = imageOf(aLiveAnswer(...NAMES.map((name) => aSeenEntry(name))))!;

/** As it goes: compared in the worker, sent as text, put together in the page, which has a copy of its own. */
function crossed(answer: string, inWorker: LiveImage | undefined, inPage: LiveImage | undefined) {
  const change = changeOf(imageOf(answer, inWorker)!, inWorker);
  if (!change) return { image: inPage!, rows: 0 };
  const changed = new Map<string, SeenEntry>();
  for (const slice of change.slices) readSlice(slice, inPage, changed);
  return { image: imageAfter(inPage, changed, change.keys), rows: changed.size, change };
}
const inPage = crossed(aLiveAnswer(...first.entries), undefined, undefined).image;

const renamed = { ...aSeenEntry('B'), metadata: { ...aSeenEntry('B').metadata, alias: 'Reus' } };
test.each<[string, SeenEntry[], number]>([
  ['nothing', NAMES.map((name) => aSeenEntry(name)), 0],
  ['a reading', [aSeenEntry('A'), aSeenEntry('B', { GMT_UNIX: 1_790_000_005 }), aSeenEntry('C')], 1],
  ['a signal that comes', [aSeenEntry('A'), aSeenEntry('B', { MotorSpeed: 9 }), aSeenEntry('C')], 1],
  ['a name', [aSeenEntry('A'), renamed, aSeenEntry('C')], 1],
  ['a machine that comes', [...NAMES, 'D'].map((name) => aSeenEntry(name)), 1],
  ['a machine that goes', [aSeenEntry('A'), aSeenEntry('C')], 0],
  ['the last one that goes', [], 0],
  ['the order', ['C', 'A', 'B'].map((name) => aSeenEntry(name)), 0],
  ['all of it', [aSeenEntry('D'), renamed, aSeenEntry('A', { Soc1: 3 })], 3],
])(
  'LIVE-02 MAP-13 what changes is %s: only that crosses, the rest keeps its identity',
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

test('LIVE-02 a reading brings no names along, and keeps the object with the names', () => {
  const { image, change } = crossed(
    aLiveAnswer(aSeenEntry('A', { Soc1: 1 }), ...first.entries.slice(1)),
    first,
    inPage,
  );
  expect(change?.keys).toBeUndefined();
  expect(change?.slices.join('')).not.toContain('Graver');
  expect(image.entries[0]!.metadata).toBe(inPage.entries[0]!.metadata);
});

test('LIVE-02 all of it over again keeps what the page has, as after an answer that was thrown away', () => {
  const { image } = crossed(aLiveAnswer(...first.entries), undefined, inPage);
  expect(image.entries).toBe(inPage.entries);
  expect(image.byKey).toBe(inPage.byKey);
});

test('MAP-13 a large fleet crosses in slices', () => {
  const many = Array.from({ length: 2 * SLICE_ROWS + 1 }, (_, n) => aSeenEntry(`M${n}`));
  const image = imageOf(aLiveAnswer(...many))!;
  expect(changeOf(image, undefined)?.slices.map((slice) => JSON.parse(slice).length)).toEqual([
    SLICE_ROWS,
    SLICE_ROWS,
    1,
  ]);
  expect(crossed(aLiveAnswer(...many), undefined, undefined).image.entries).toEqual(many);
});

test('LIVE-02 the text of an image is the answer again, keys that are numbers included', () => {
  const answer = aLiveAnswer(aSeenEntry('VO-1'), aSeenEntry('0012'), aSeenEntry('7'));
  expect(textOf(imageOf(answer)!)).toBe(answer);
});

test('LIVE-02 a change on top of another image is refused, not guessed', () => {
  const change = changeOf(
    imageOf(aLiveAnswer(aSeenEntry('A', { Soc1: 1 }), ...first.entries.slice(1)), first)!,
    first,
  )!;
  expect(() => readSlice(change.slices[0]!, undefined, new Map())).toThrow(/not known/);
  expect(() => imageAfter(undefined, new Map(), ['A'])).toThrow(/No data/);
});
