import { expect, test } from 'vitest';
import { aFleetEntry, aLiveAnswer, aLiveEntry } from '#web/test/live-example.ts';
import { liveSnapshotJson } from './live-change.ts';
import { entryOf, parseLive, parseLiveSnapshot } from './live-snapshot.ts';

const first = parseLiveSnapshot(aLiveAnswer(aFleetEntry('A'), aFleetEntry('B')))!;

test('a repeated answer keeps every object, so that screens draw nothing again (LIVE-02)', () => {
  const next = parseLiveSnapshot(aLiveAnswer(aFleetEntry('A'), aFleetEntry('B')), first)!;
  expect(next.entries).toBe(first.entries);
  expect(next.byKey).toBe(first.byKey);
});

test.each([
  ['a new time', { GMT_UNIX: 1_790_000_005 }],
  ['a new value at the same time', { Soc1: 79 }],
  ['a new signal', { MotorSpeed: 900 }],
])('%s changes the object of that machine only (LIVE-02)', (_, change) => {
  const next = parseLiveSnapshot(aLiveAnswer(aFleetEntry('A', change), aFleetEntry('B')), first)!;
  expect(next.entries).not.toBe(first.entries);
  expect(next.entries[0]).toEqual(aFleetEntry('A', change));
  expect(next.entries[0]!.metadata).toBe(first.entries[0]!.metadata);
  expect(next.entries[1]).toBe(first.entries[1]);
  expect(next.byKey.get('A')).toBe(next.entries[0]);
});

test('a removed signal is a change (LIVE-02)', () => {
  const more = parseLiveSnapshot(aLiveAnswer(aFleetEntry('A', { MotorSpeed: 900 })))!;
  const next = parseLiveSnapshot(aLiveAnswer(aFleetEntry('A')), more)!;
  expect(next.entries[0]).toEqual(aFleetEntry('A'));
});

test.each([
  ['an alias', { alias: 'Reus' }],
  ['a capacity', { batteries: [{ capacity: 20 }, { capacity: 30 }] }],
  ['an accessory', { hulpstukken: [] }],
  ['the organization', { cleanorg: 'Ander' }],
])('a changed value of %s is a change (LIVE-02)', (_, change) => {
  const entry = aFleetEntry('A');
  const renamed = { ...entry, metadata: { ...entry.metadata, ...change } };
  const next = parseLiveSnapshot(aLiveAnswer(renamed, aFleetEntry('B')), first)!;
  expect(next.entries[0]).toEqual(renamed);
});

test('removing or reordering machines changes the list, and keeps the objects of the other machines (LIVE-02)', () => {
  const fewer = parseLiveSnapshot(aLiveAnswer(aFleetEntry('B')), first)!;
  expect(fewer.entries).toEqual([aFleetEntry('B')]);
  expect(fewer.entries[0]).toBe(first.entries[1]);
  const reordered = parseLiveSnapshot(aLiveAnswer(aFleetEntry('B'), aFleetEntry('A')), first)!;
  expect(reordered.entries).toEqual([aFleetEntry('B'), aFleetEntry('A')]);
  expect(reordered.entries[1]).toBe(first.entries[0]);
});

test('the machines stay in the order of the answer, numeric keys included, also in the text for the stored copy (15.3g)', () => {
  const named = (key: string, alias: string) =>
    `${JSON.stringify(key)}:${JSON.stringify({ ...aLiveEntry(key), metadata: { ...aLiveEntry(key).metadata, alias } })}`;
  const text = `{${named('B', 'with "quotes" \\')},${named('10', '{')},${named('A "1"', ']"7":')},${named('2', '\\"')}}`;
  const image = parseLiveSnapshot(text)!;
  expect([...image.byKey.keys()]).toEqual(['B', '10', 'A "1"', '2']);
  expect(image.entries.map(({ metadata }) => metadata.alias)).toEqual([
    'with "quotes" \\',
    '{',
    ']"7":',
    '\\"',
  ]);
  expect(liveSnapshotJson(image)).toBe(text);
});

test('an answer is parsed unchanged (LIVE-02)', () => {
  const entries = [aLiveEntry('A'), aLiveEntry('B', { IsCharging1: 1 })];
  expect(parseLive(aLiveAnswer(...entries))).toEqual({ A: entries[0], B: entries[1] });
  expect(parseLive('{}')).toEqual({});
});

test('a machine is found whatever the case of its key, and by exact case if several keys differ in case only (MDET-01, 12.C7)', () => {
  const image = parseLiveSnapshot(aLiveAnswer(aLiveEntry('VO-1'), aLiveEntry('vo-1'), aLiveEntry('Één-2')))!;
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
])('hostile or broken stored content is rejected: %s (LIVE-02)', (_, text) => {
  expect(parseLive(text)).toBeUndefined();
});
