import { expect, test } from 'vitest';
import { aLiveAnswer, aLiveEntry } from '#web/test/live-example.ts';
import { parseLive } from './live-check.ts';

test('LIVE-02 an answer is read as it came', () => {
  const entries = [aLiveEntry('A'), aLiveEntry('B', { IsCharging1: 1 })];
  expect(parseLive(aLiveAnswer(...entries))).toEqual({ A: entries[0], B: entries[1] });
  expect(parseLive('{}')).toEqual({});
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
