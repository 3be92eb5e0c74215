import { expect, test } from 'vitest';
import { forecastRecordText, forecastText } from './forecast-text.ts';
import { capacitySpreadText, curveText, sessionEndText, sessionLevelsText } from './session-text.ts';

const NOW = Date.parse('2026-11-23T00:00:00+01:00');
const forecast = (from: string, to: string) => ({ from, to, at: '2026-11-22T22:00:00Z' });

test.each([
  ['near now with clock times', '07:50', '08:15', 'Vol tussen 07:50 en 08:15'],
  ['later with dates', '11:50', '12:15', 'Vol tussen 23-11-26, 11:50 en 23-11-26, 12:15'],
])('a forecast is described %s (14.2m)', (_, from, to, text) => {
  expect(forecastText(forecast(`2026-11-23T${from}:00+01:00`, `2026-11-23T${to}:00+01:00`), NOW)).toBe(text);
});

test('the text of a forecast that proved wrong keeps the times that were forecast (14.2m)', () => {
  const missed = forecast('2026-11-22T22:40:00+01:00', '2026-11-22T23:05:00+01:00');
  expect(forecastText(missed, NOW)).toBe('Zou vol zijn tussen 22:40 en 23:05');
});

test.each([
  [0, 0, 0, 0, 'Hoe vaak dat klopt, is nog niet bekend.'],
  [1, 1, 0, 0, 'Klopte bij 1 van de laatste laadbeurt.'],
  [17, 20, 18, 19, 'Klopte bij 17 van de laatste 20 laadbeurten, een uur van tevoren bij 18 van 19.'],
])(
  'the success rate of forecasts is described: %i of %i at the start of charging, %i of %i an hour before the end (14.2j)',
  (held, of, heldLater, ofLater, text) => {
    expect(forecastRecordText({ start: { held, of }, hourBefore: { held: heldLater, of: ofLater } })).toBe(
      text,
    );
  },
);

test('texts about a charging session give how it ended, its charge levels, and its power at each charge level (14.2k)', () => {
  expect(sessionEndText(null)).toBe('Laadt nog');
  expect(sessionEndText('geen gegevens')).toBe('Geen gegevens');
  expect(sessionLevelsText([{ number: 1, begin: 20.4, end: null }])).toEqual(['20% → --']);
  expect(
    sessionLevelsText([
      { number: 1, begin: 20, end: 80 },
      { number: 3, begin: 21, end: 79 },
    ]),
  ).toEqual(['1: 20% → 80%', '3: 21% → 79%']);
  const points = [39, 40, 41, 90].map((percent) => ({
    percent,
    kW: percent === 41 ? 21 : 60 - percent / 2 - 20,
  }));
  expect(curveText(points)).toBe(
    'Laadvermogen per laadniveau: het hoogst 21,0 kW bij 41%. Bij 40% 20,0 kW. Bij 90% -5,0 kW.',
  );
});

test('a capacity is described with its spread; an unknown capacity has no text (14.2f)', () => {
  expect(capacitySpreadText({ middle: 98.24, low: 97, high: 99.1, count: 24 }, 'laden')).toEqual({
    value: '98,2 kWh',
    more: '97,0 kWh tot 99,1 kWh, uit 24 keer laden',
  });
  expect(capacitySpreadText(null, 'laden')).toBeUndefined();
});
