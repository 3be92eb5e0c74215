import { expect, test } from 'vitest';
import type { MachineStatus } from './machine-status.ts';
import {
  ageText,
  clockTime,
  dateAndSecond,
  dateAndTime,
  dutchDate,
  formatBitRate,
  formatCoordinate,
  formatDecimals,
  formatDistance,
  formatExactNumber,
  formatFileSize,
  formatKilowattHours,
  formatKilowatts,
  formatLastSeen,
  formatNumber,
  formatPercent,
  formatSpeed,
  hoursAsClock,
  hoursText,
  lastSeenDetail,
  shortStatus,
  statusLabel,
  statusText,
} from './nl.ts';
import type { Freshness } from './staleness.ts';

const unix = (iso: string) => Date.parse(iso) / 1000;

// Columns: case, time at which the machine was last seen, present time, text in the popup, text on the machine's
// page. Amsterdam is UTC+1, in summer UTC+2 (29 March to 25 October 2026).
test.each<[string, string, string, string, string]>([
  ['today', '2026-11-21T13:05:59Z', '2026-11-21T15:00:00Z', 'vandaag, 14:05', '14:05'],
  ['the first minute of today', '2026-11-20T23:00:00Z', '2026-11-21T22:59:59Z', 'vandaag, 00:00', '00:00'],
  [
    'a second before it',
    '2026-11-20T22:59:59Z',
    '2026-11-20T23:00:00Z',
    '20-11-26, 23:59',
    '20/11/26, 23:59',
  ],
  [
    'the same UTC day, yesterday here',
    '2026-07-01T21:59:00Z',
    '2026-07-01T22:01:00Z',
    '01-07-26, 23:59',
    '01/07/26, 23:59',
  ],
  ['another UTC day, today here', '2026-06-30T22:30:00Z', '2026-07-01T21:00:00Z', 'vandaag, 00:30', '00:30'],
  [
    'the same date a year ago',
    '2025-11-21T13:05:00Z',
    '2026-11-21T15:00:00Z',
    '21-11-25, 14:05',
    '21/11/25, 14:05',
  ],
  ['just before summer time', '2026-03-29T00:59:00Z', '2026-03-29T12:00:00Z', 'vandaag, 01:59', '01:59'],
  [
    'just after: 02 does not exist',
    '2026-03-29T01:00:00Z',
    '2026-03-29T12:00:00Z',
    'vandaag, 03:00',
    '03:00',
  ],
  ['02:30 in summer time', '2026-10-25T00:30:00Z', '2026-10-25T12:00:00Z', 'vandaag, 02:30', '02:30'],
  ['02:30 again in winter time', '2026-10-25T01:30:00Z', '2026-10-25T12:00:00Z', 'vandaag, 02:30', '02:30'],
  [
    'both ends of a day of 25 hours',
    '2026-10-24T22:00:00Z',
    '2026-10-25T22:59:59Z',
    'vandaag, 00:00',
    '00:00',
  ],
  [
    'the day before one of 23 hours',
    '2026-03-28T22:59:00Z',
    '2026-03-29T21:59:00Z',
    '28-03-26, 23:59',
    '28/03/26, 23:59',
  ],
  [
    'a clock ahead, over midnight',
    '2026-11-21T23:01:00Z',
    '2026-11-21T22:59:00Z',
    '22-11-26, 00:01',
    '22/11/26, 00:01',
  ],
])(
  'the time at which a machine was last seen is formatted: %s (MAP-06, MDET-03, APP-12)',
  (_name, seen, now, popup, page) => {
    expect(formatLastSeen(unix(seen), Date.parse(now))).toBe(popup);
    expect(lastSeenDetail(unix(seen), Date.parse(now))).toBe(page);
  },
);

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e13])(
  'a machine that was last seen at %s is shown as never seen (MAP-06)',
  (seen) => {
    expect(formatLastSeen(seen, 0)).toBe('nooit');
    expect(lastSeenDetail(seen, 0)).toBe('nooit');
  },
);

test('times are formatted in a given time zone (APP-12)', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(formatLastSeen(unix('2026-11-20T23:30:00Z'), now, 'UTC')).toBe('20-11-26, 23:30');
  expect(formatLastSeen(unix('2026-11-20T23:30:00Z'), now)).toBe('vandaag, 00:30');
  expect(clockTime(now, 'Asia/Kolkata')).toBe('17:30');
  expect(clockTime(now)).toBe('13:00');
  expect(dateAndTime(now)).toBe('21-11-26, 13:00');
});

test.each([
  ['2025-04-12T06:00:00Z', '12-04-25, 08:00:00'],
  ['2026-03-29T00:59:59.999Z', '29-03-26, 01:59:59'],
  ['2026-03-29T01:00:01Z', '29-03-26, 03:00:01'], // summer time begins
  ['2026-12-31T23:00:07Z', '01-01-27, 00:00:07'],
])('the instant %s is formatted to the second as %s (APP-12)', (iso, expected) => {
  expect(dateAndSecond(Date.parse(iso))).toBe(expected);
});

test('a day is formatted as DD-MM-YYYY (APP-12)', () => expect(dutchDate('2026-11-02')).toBe('02-11-2026'));

test.each<[number, string]>([
  [0, '0'],
  [999, '999'],
  [10_000, '10.000'],
  [4_294_967_295, '4.294.967.295'],
  [0.5, '0,5'],
  [-214.75, '-214,75'],
  [511.96875, '511,969'],
  [0.000123, '0,000123'],
])('the number %d is formatted as %s', (value, expected) => {
  expect(formatNumber(value)).toBe(expected);
});

test.each<[number, number, number, string]>([
  [1201, 1, 1, '1.201,0'],
  [0.05, 1, 1, '0,1'],
  [6, 2, 2, '6,00'],
  [77.7, 1, 0, '77,7'],
  [100, 1, 0, '100'],
])('%d with at most %d and at least %d decimals is formatted as %s', (value, most, fewest, expected) => {
  expect(formatDecimals(value, most, fewest)).toBe(expected);
});

test.each<[string, string]>([
  [formatKilowattHours(1201, 2), '1.201,00 kWh'],
  [formatKilowattHours(90, 1, 0), '90 kWh'],
  [formatKilowattHours(90.54, 1, 0), '90,5 kWh'],
  [formatKilowatts(10.25), '10,3 kW'],
])('energy and power are formatted: %s', (written, expected) => {
  expect(written).toBe(expected);
});

test.each<[number, string]>([
  [52.028001, '52.028001'],
  [52.1, '52.100000'],
  [5.1234564, '5.123456'],
  [-0.09, '-0.090000'],
])('the coordinate %d is formatted as %s (MDET-11)', (degrees, expected) => {
  expect(formatCoordinate(degrees)).toBe(expected);
});

test.each<[number | undefined, string]>([
  [0, '0 km/u'],
  [12.34, '12,3 km/u'],
  [12.96, '13 km/u'],
  [undefined, '--'],
])('a speed of %d km/h is formatted as %s (MDET-12, LOG-03)', (kmPerHour, expected) => {
  expect(formatSpeed(kmPerHour)).toBe(expected);
});

test.each<[number | undefined, string]>([
  [0, '0 m'],
  [0.4, '0 m'],
  [640.4, '640 m'],
  [999.4, '999 m'],
  [999.5, '1,0 km'],
  [999.6, '1,0 km'],
  [1000, '1,0 km'],
  [1249, '1,2 km'],
  [1250, '1,3 km'],
  [9960, '10,0 km'],
  [1_234_560, '1.234,6 km'],
  [undefined, '--'],
  [Number.NaN, '--'],
])('a distance of %s m is formatted as %s (MAP-08)', (metres, expected) => {
  expect(formatDistance(metres)).toBe(expected);
});

test.each<[number | undefined, string]>([
  [0, '00:00'],
  [2.5, '02:30'],
  [0.999, '01:00'], // 59.94 minutes carry
  [1.9999, '02:00'],
  [0.0083, '00:00'], // just under half a minute
  [0.0084, '00:01'],
  [99.99, '99:59'],
  [99.999, '100:00'],
  [120.5, '120:30'],
  [-0.1, '--:--'],
  [undefined, '--:--'],
  [Number.NaN, '--:--'],
  [Number.POSITIVE_INFINITY, '--:--'],
])('%s hours are formatted as hours and minutes of a clock: %s (MDET-05, MDET-06)', (hours, expected) => {
  expect(hoursAsClock(hours)).toBe(expected);
});

test.each<[number | undefined, string]>([
  [0, '0 min'],
  [0.999, '1 u 0 min'],
  [6.267, '6 u 16 min'],
  [29.9999, '30 u 0 min'],
  [-1, '--'],
  [undefined, '--'],
  [Number.NaN, '--'],
])('%s hours are formatted with units: %s (15.1c)', (hours, expected) => {
  expect(hoursText(hours)).toBe(expected);
});

test.each<[number | undefined, string]>([
  [0, '0%'],
  [87.4, '87%'],
  [87.5, '88%'],
  [100, '100%'],
  [104, '100%'],
  [-3, '0%'],
  [-0.2, '0%'],
  [undefined, '--'],
  [Number.NaN, '--'],
])('the percentage %s is formatted as %s (MDET-04)', (value, expected) => {
  expect(formatPercent(value)).toBe(expected);
});

test('each machine status has a Dutch name (LIVE-05)', () => {
  expect((['charging', 'running', 'off'] as const).map(statusLabel)).toEqual(['Laden', 'Draait', 'Uit']);
  expect(statusText('running', 'fresh')).toBe('Draait');
  expect(statusText('off', 'stale')).toBe('Stil, laatst Uit');
});

test.each<[MachineStatus, Freshness, string, string]>([
  ['charging', 'fresh', 'Laden', 'Laden'],
  ['charging', 'stale', 'Stil, laatst Laden', 'Stil'],
  ['off', 'fresh', 'Uit', 'Uit'],
  ['off', 'stale', 'Stil, laatst Uit', 'Stil'],
  ['off', 'never', 'Nog nooit gezien', 'Nog nooit gezien'],
])('the text of the status %s of a machine that is %s (54.5b)', (status, sighting, spoken, short) => {
  expect(statusText(status, sighting)).toBe(spoken);
  expect(shortStatus(status, sighting)).toBe(short);
});

test.each<[number, string]>([
  [-500, '0 s'],
  [0, '0 s'],
  [12_900, '12 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 uur'],
  [86_399_999, '23 uur'],
  [86_400_000, '1 dag'],
  [172_800_000, '2 dagen'],
])('an age of %i ms is formatted as %s (LIVE-07)', (ms, expected) => {
  expect(ageText(ms)).toBe(expected);
});

test('bit rates are formatted in kbit/s, and exact numbers with all their digits (MEDIT-12)', () => {
  expect([125_000, 1_000_000, 33_300].map((rate) => formatBitRate(rate))).toEqual([
    '125 kbit/s',
    '1000 kbit/s',
    '33,3 kbit/s',
  ]);
  expect([0.0001234, -1000, 1e-9].map(formatExactNumber)).toEqual(['0,0001234', '-1000', '1e-9']);
});

test.each([
  [0, '1 kB'],
  [700, '1 kB'],
  [640 * 1024, '640 kB'],
  [2 ** 20, '1,0 MB'],
  [20 * 2 ** 20 + 1, '20,0 MB'],
])('the size of a file of %i bytes is formatted as %s (15.8h)', (bytes, text) =>
  expect(formatFileSize(bytes)).toBe(text),
);
