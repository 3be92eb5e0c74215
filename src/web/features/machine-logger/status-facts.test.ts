import { expect, test } from 'vitest';
import { clockInWords, freeSpace, runningConfig } from './status-facts.tsx';

test.each([
  [null, '--'],
  [0, 'loopt gelijk'],
  [2, 'loopt gelijk'],
  [-2, 'loopt gelijk'],
  [3, 'loopt 3 s voor'],
  [-90, 'loopt 1 min achter'],
  [7_200, 'loopt 2 uur voor'],
  [-86_400 * 900, 'loopt 900 dagen achter'],
])('12.C6 a clock that is %j s ahead: %s', (aheadS, words) => {
  expect(clockInWords(aheadS)).toBe(words);
});

test.each([
  [null, '--'],
  [{ freeMb: null, totalMb: 7600 }, '--'],
  [{ freeMb: 0, totalMb: 7600 }, '0 van 7.600 MB'],
  [{ freeMb: 1200.4, totalMb: null }, '1.200 MB'],
])('12.C6 free space %j: %s', (status, words) => {
  expect(freeSpace(status)).toBe(words);
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
])('12.C6 the configuration that runs, %j and %j: %s', (status, config, words) => {
  expect(runningConfig(status, config)).toBe(words);
});
