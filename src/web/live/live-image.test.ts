import { expect, test } from 'vitest';
import { aLiveAnswer, aLiveEntry, aSeenEntry } from '#web/test/live-example.ts';
import { textOf } from './live-change.ts';
import { entryOf, imageOf, parseLive } from './live-image.ts';

const first = imageOf(aLiveAnswer(aSeenEntry('A'), aSeenEntry('B')))!;

test('LIVE-02 a repeated answer keeps every object, so that nothing is drawn again', () => {
  const next = imageOf(aLiveAnswer(aSeenEntry('A'), aSeenEntry('B')), first)!;
  expect(next.entries).toBe(first.entries);
  expect(next.byKey).toBe(first.byKey);
});

test.each([
  ['a new time', { GMT_UNIX: 1_790_000_005 }],
  ['a new value at the same time', { Soc1: 79 }],
  ['a new signal', { MotorSpeed: 900 }],
])('LIVE-02 %s changes that machine and no other', (_, change) => {
  const next = imageOf(aLiveAnswer(aSeenEntry('A', change), aSeenEntry('B')), first)!;
  expect(next.entries).not.toBe(first.entries);
  expect(next.entries[0]).toEqual(aSeenEntry('A', change));
  expect(next.entries[0]!.metadata).toBe(first.entries[0]!.metadata);
  expect(next.entries[1]).toBe(first.entries[1]);
  expect(next.byKey.get('A')).toBe(next.entries[0]);
});

test('LIVE-02 a signal that drops out is a change', () => {
  const more = imageOf(aLiveAnswer(aSeenEntry('A', { MotorSpeed: 900 })))!;
  const next = imageOf(aLiveAnswer(aSeenEntry('A')), more)!;
  expect(next.entries[0]).toEqual(aSeenEntry('A'));
});

test.each([
  ['an alias', { alias: 'Reus' }],
  ['a capacity', { batteries: [{ capacity: 20 }, { capacity: 30 }] }],
  ['an accessory', { hulpstukken: [] }],
  ['the organization', { cleanorg: 'Ander' }],
])('LIVE-02 %s that changes is a change', (_, change) => {
  const entry = aSeenEntry('A');
  const renamed = { ...entry, metadata: { ...entry.metadata, ...change } };
  const next = imageOf(aLiveAnswer(renamed, aSeenEntry('B')), first)!;
  expect(next.entries[0]).toEqual(renamed);
});

test('LIVE-02 a machine that comes, goes or moves in the order changes the list, not the others', () => {
  const fewer = imageOf(aLiveAnswer(aSeenEntry('B')), first)!;
  expect(fewer.entries).toEqual([aSeenEntry('B')]);
  expect(fewer.entries[0]).toBe(first.entries[1]);
  const turned = imageOf(aLiveAnswer(aSeenEntry('B'), aSeenEntry('A')), first)!;
  expect(turned.entries).toEqual([aSeenEntry('B'), aSeenEntry('A')]);
  expect(turned.entries[1]).toBe(first.entries[0]);
});

test('15.3g the order is that of the answer, whole numbers too, and stays in the copy that the browser keeps', () => {
  const named = (key: string, alias: string) =>
    `${JSON.stringify(key)}:${JSON.stringify({ ...aLiveEntry(key), metadata: { ...aLiveEntry(key).metadata, alias } })}`;
  const text = `{${named('B', 'with "quotes" \\')},${named('10', '{')},${named('A "1"', ']"7":')},${named('2', '\\"')}}`;
  const image = imageOf(text)!;
  expect([...image.byKey.keys()]).toEqual(['B', '10', 'A "1"', '2']);
  expect(image.entries.map(({ metadata }) => metadata.alias)).toEqual([
    'with "quotes" \\',
    '{',
    ']"7":',
    '\\"',
  ]);
  expect(textOf(image)).toBe(text);
});

test('LIVE-02 an answer is read as it came', () => {
  const entries = [aLiveEntry('A'), aLiveEntry('B', { IsCharging1: 1 })];
  expect(parseLive(aLiveAnswer(...entries))).toEqual({ A: entries[0], B: entries[1] });
  expect(parseLive('{}')).toEqual({});
});

test('MDET-01 12.C7 a machine is found in upper and lower case, and as it is typed where both are there', () => {
  const image = imageOf(aLiveAnswer(aLiveEntry('VO-1'), aLiveEntry('vo-1'), aLiveEntry('Één-2')))!;
  const found = ['VO-1', 'vo-1', 'Vo-1', 'éÉN-2', 'VO', ''].map((key) => entryOf(image, key));
  expect(found.map((entry) => entry?.metadata.serialNumber)).toEqual([
    'VO-1',
    'vo-1',
    'VO-1',
    'Één-2',
    undefined,
    undefined,
  ]);
});

const { metadata, liveData } = aLiveEntry('A');
test.each([
  ['no JSON', '{"A":'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '7'],
  ['an entry that is null', '{"A":null}'],
  ['an entry that is a list', '{"A":[]}'],
  ['no metadata', JSON.stringify({ A: { liveData } })],
  ['metadata null', JSON.stringify({ A: { metadata: null, liveData } })],
  ['no live data', JSON.stringify({ A: { metadata } })],
  ['an alias that is an object', JSON.stringify({ A: { metadata: { ...metadata, alias: {} }, liveData } })],
  [
    'a model that is missing',
    JSON.stringify({ A: { metadata: { ...metadata, model: undefined }, liveData } }),
  ],
  ['another kind', JSON.stringify({ A: { metadata: { ...metadata, kind: 'x' }, liveData } })],
  [
    'batteries that are no list',
    JSON.stringify({ A: { metadata: { ...metadata, batteries: 2 }, liveData } }),
  ],
  ['a battery null', JSON.stringify({ A: { metadata: { ...metadata, batteries: [null] }, liveData } })],
  [
    'a capacity in words',
    JSON.stringify({ A: { metadata: { ...metadata, batteries: [{ capacity: '9' }] }, liveData } }),
  ],
  [
    'an accessory without a name',
    JSON.stringify({ A: { metadata: { ...metadata, hulpstukken: [{}] }, liveData } }),
  ],
  ['a latitude in words', JSON.stringify({ A: { metadata, liveData: { ...liveData, LATITUDE: '52' } } })],
  ['no time', JSON.stringify({ A: { metadata, liveData: { LATITUDE: 1, LONGITUDE: 2 } } })],
  ['a signal in words', JSON.stringify({ A: { metadata, liveData: { ...liveData, Soc1: '<img>' } } })],
  ['one bad entry among good ones', JSON.stringify({ A: { metadata, liveData }, B: {} })],
])('LIVE-02 hostile or broken stored content is not read: %s', (_, text) => {
  expect(parseLive(text)).toBeUndefined();
});
