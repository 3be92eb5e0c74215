import { expect, test } from 'vitest';
import { forecastInWords, recordInWords } from './forecast-words.ts';
import { curveInWords, endInWords, levelsInWords, spreadInWords } from './session-words.ts';

const NOW = Date.parse('2026-11-23T00:00:00+01:00');
const forecast = (from: string, to: string) => ({ from, to, at: '2026-11-22T22:00:00Z' });

test.each([
  ['soon: the time of day', '07:50', '08:15', 'Vol tussen 07:50 en 08:15'],
  ['later: with the day', '11:50', '12:15', 'Vol tussen 23-11-26, 11:50 en 23-11-26, 12:15'],
])('14.2m the forecast, %s', (_, from, to, words) => {
  expect(forecastInWords(forecast(`2026-11-23T${from}:00+01:00`, `2026-11-23T${to}:00+01:00`), NOW)).toBe(
    words,
  );
});

test('14.2m what did not come true stays as it was told', () => {
  const told = forecast('2026-11-22T22:40:00+01:00', '2026-11-22T23:05:00+01:00');
  expect(forecastInWords(told, NOW)).toBe('Zou vol zijn tussen 22:40 en 23:05');
});

test.each([
  [0, 0, 0, 0, 'Hoe vaak dat klopt, is nog niet bekend.'],
  [1, 1, 0, 0, 'Klopte bij 1 van de laatste laadbeurt.'],
  [17, 20, 18, 19, 'Klopte bij 17 van de laatste 20 laadbeurten, een uur van tevoren bij 18 van 19.'],
])('14.2j the record in words: %i of %i, %i of %i', (held, of, heldLater, ofLater, words) => {
  expect(recordInWords({ start: { held, of }, hourBefore: { held: heldLater, of: ofLater } })).toBe(words);
});

test('14.2k a session in words', () => {
  expect(endInWords(null)).toBe('Laadt nog');
  expect(endInWords('geen gegevens')).toBe('Geen gegevens');
  expect(levelsInWords([{ number: 1, begin: 20.4, end: null }])).toEqual(['20% → --']);
  expect(
    levelsInWords([
      { number: 1, begin: 20, end: 80 },
      { number: 3, begin: 21, end: 79 },
    ]),
  ).toEqual(['1: 20% → 80%', '3: 21% → 79%']);
  const points = [39, 40, 41, 90].map((percent) => ({
    percent,
    kW: percent === 41 ? 21 : 60 - percent / 2 - 20,
  }));
  expect(curveInWords(points)).toBe(
    'Laadvermogen per laadniveau: het hoogst 21,0 kW bij 41%. Bij 40% 20,0 kW. Bij 90% -5,0 kW.',
  );
});

test('14.2f a capacity with its spread, or not at all', () => {
  expect(spreadInWords({ middle: 98.24, low: 97, high: 99.1, count: 24 }, 'laden')).toEqual({
    value: '98,2 kWh',
    more: '97,0 kWh tot 99,1 kWh, uit 24 keer laden',
  });
  expect(spreadInWords(null, 'laden')).toBeUndefined();
});
