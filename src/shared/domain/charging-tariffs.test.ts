import { expect, test } from 'vitest';
import { amsterdamInstant } from './amsterdam-time.ts';
import {
  addCosts,
  type ChargingTariff,
  costOf,
  createHourlyPriceLookup,
  energyByHour,
  HOUR_MS,
  priceInHour,
  tariffOn,
} from './charging-tariffs.ts';
import { costNotes, eurosOf, priceText } from './reports/charging-costs.ts';

const FIXED: ChargingTariff = {
  firstDay: '2026-01-01',
  lastDay: null,
  dayPrice: 0.25,
  nightPrice: null,
  nightFrom: 23,
  nightTo: 7,
  nightWeekend: true,
};
const NIGHT: ChargingTariff = { ...FIXED, firstDay: '2026-03-01', nightPrice: 0.18 };
const ENDED: ChargingTariff = { ...FIXED, firstDay: '2026-06-01', lastDay: '2026-06-30', dayPrice: 0.3 };
const ALL = [FIXED, ENDED, NIGHT];

test.each([
  ['2025-12-31', undefined],
  ['2026-01-01', FIXED],
  ['2026-02-28', FIXED],
  ['2026-03-01', NIGHT],
  ['2026-06-01', ENDED],
  ['2026-06-30', ENDED],
  ['2026-07-01', undefined],
])('on %s the newest tariff that has begun applies, unless it has ended (53.32)', (day, tariff) => {
  expect(tariffOn(ALL, day)).toBe(tariff);
});

test.each([
  // 2026-03-03 is a Tuesday, 2026-03-07 a Saturday.
  ['2026-03-03', 6, 0.18],
  ['2026-03-03', 7, 0.25],
  ['2026-03-03', 22, 0.25],
  ['2026-03-03', 23, 0.18],
  ['2026-03-06', 22, 0.25],
  ['2026-03-07', 12, 0.18],
  ['2026-03-08', 22, 0.18],
  ['2026-03-09', 7, 0.25],
  ['2026-02-03', 3, 0.25],
  ['2026-07-03', 3, undefined],
])('on %s the hour of %i:00 costs %s per kWh (53.32)', (day, hour, price) => {
  expect(priceInHour(ALL, day, hour)).toBe(price);
});

test('a night price from 01:00 to 05:00 without weekends applies only in these hours, also on a Saturday (53.32)', () => {
  const tariff = { ...NIGHT, nightFrom: 1, nightTo: 5, nightWeekend: false };
  const prices = Array.from({ length: 24 }, (_, hour) => priceInHour([tariff], '2026-03-07', hour));
  expect(prices).toEqual(Array.from({ length: 24 }, (_, hour) => (hour >= 1 && hour < 5 ? 0.18 : 0.25)));
});

test('a night price of eight hours applies for nine when summer time ends, and for seven when it begins (53.32)', () => {
  const price = createHourlyPriceLookup([{ ...NIGHT, nightWeekend: false }]);
  const from = amsterdamInstant('2026-10-24 23:00', 'first') as number;
  const hours = Array.from({ length: 11 }, (_, n) => price(from + n * HOUR_MS));
  expect(hours).toEqual([...Array(9).fill(0.18), 0.25, 0.25]);
  const march = amsterdamInstant('2026-03-28 23:00', 'first') as number;
  expect(Array.from({ length: 9 }, (_, n) => price(march + n * HOUR_MS))).toEqual([
    ...Array(7).fill(0.18),
    0.25,
    0.25,
  ]);
});

test('the example of docs/figures.md: a charge that continues into the night and past the end of a tariff costs 2.08 euro (53.32)', () => {
  const tariffs = [
    { ...NIGHT, firstDay: '2026-01-01', lastDay: '2026-03-31' },
    { ...FIXED, firstDay: '2026-04-02' },
  ];
  const price = createHourlyPriceLookup(tariffs);
  const from = amsterdamInstant('2026-03-31 22:00', 'first') as number;
  // 4 kWh from 22:00, 6 kWh from 23:00, 5 kWh from 0:00 on the day without a tariff.
  const found = costOf(price, {
    chargedMj: 15 * 3.6e9,
    firstHour: from,
    hours: [4 * 3.6e9, 6 * 3.6e9, 5 * 3.6e9],
  });
  expect(eurosOf(found)).toBe(2.08);
  expect(found.unpricedMj).toBe(5 * 3.6e9);
  expect(costNotes([], found.unpricedMj).at(-1)).toBe(
    'Voor 5,0 kWh is geen tarief ingevuld: die energie zit niet in de laadkosten.',
  );
});

test('energy without any tariff costs an unknown amount and never 0 euro (53.32)', () => {
  const none = costOf(undefined, { chargedMj: 1, firstHour: 0, hours: [1] });
  expect([eurosOf(none), none.unpricedMj]).toEqual([null, 1]);
  const uncounted = costOf(createHourlyPriceLookup([FIXED]), { chargedMj: 7, firstHour: 0, hours: null });
  expect([eurosOf(uncounted), uncounted.unpricedMj]).toEqual([null, 7]);
  expect(eurosOf(addCosts([]))).toBe(0);
  // With a tariff of 0 euro per kWh the cost is known: 0 euro.
  const free = createHourlyPriceLookup([{ ...FIXED, dayPrice: 0 }]);
  expect(eurosOf(costOf(free, { chargedMj: 5, firstHour: Date.UTC(2026, 5, 1), hours: [5] }))).toBe(0);
});

test('energyByHour adds up energy per clock hour, from the first hour with energy or from a given hour (53.32)', () => {
  const parts = [
    { from: 10, mj: 0 },
    { from: HOUR_MS + 1, mj: 3 },
    { from: 2 * HOUR_MS - 1, mj: 4 },
    { from: 4 * HOUR_MS, mj: 5 },
  ];
  expect(energyByHour(parts)).toEqual({ firstHour: HOUR_MS, hours: [7, 0, 0, 5] });
  expect(energyByHour(parts, 0)).toEqual({ firstHour: 0, hours: [0, 7, 0, 0, 5] });
  expect(energyByHour([{ from: 5, mj: 0 }])).toBeUndefined();
});

test('the text of a tariff is one line, with the hours of the night if it has a night price (53.32)', () => {
  expect(priceText({ ...FIXED, dayPrice: 0.24505 })).toBe('€ 0,24505 per kWh');
  expect(priceText(NIGHT)).toBe('dag € 0,25, nacht € 0,18 per kWh (23:00 tot 07:00 en in het weekend)');
});
