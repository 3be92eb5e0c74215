import { expect, test } from 'vitest';
import { clockDeviationText, freeSpaceText, runningConfigText } from './status-facts.tsx';

test.each([
  [null, '--'],
  [0, 'loopt gelijk'],
  [2, 'loopt gelijk'],
  [-2, 'loopt gelijk'],
  [3, 'loopt 3 s voor'],
  [-90, 'loopt 1 min achter'],
  [7_200, 'loopt 2 uur voor'],
  [-86_400 * 900, 'loopt 900 dagen achter'],
])('a clock that is %j s ahead is described as %s (12.C6)', (aheadS, text) => {
  expect(clockDeviationText(aheadS)).toBe(text);
});

test.each([
  [null, '--'],
  [{ freeMb: null, totalMb: 7600 }, '--'],
  [{ freeMb: 0, totalMb: 7600 }, '0 van 7.600 MB'],
  [{ freeMb: 1200.4, totalMb: null }, '1.200 MB'],
])('the free space %j is described as %s (12.C6)', (status, text) => {
  expect(freeSpaceText(status)).toBe(text);
});

const NEWEST = { runningSince: '2026-01-05T11:00:00Z', runsAnother: false };
const ANOTHER = { runningSince: null, runsAnother: true };
const NO_WORD = { runningSince: null, runsAnother: false };
test.each([
  [null, NO_WORD, '--'],
  [{ configName: null }, NO_WORD, '--'],
  [{ configName: 'eigen' }, NO_WORD, 'eigen'],
  [{ configName: 'eigen' }, ANOTHER, 'eigen, een andere'],
  [{ configName: null }, NEWEST, 'de nieuwste van het portaal'],
])(
  'the running configuration, from status %j and record %j, is described as %s (12.C6)',
  (status, config, text) => {
    expect(runningConfigText(status, config)).toBe(text);
  },
);
