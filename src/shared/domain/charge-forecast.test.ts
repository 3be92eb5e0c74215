import { describe, expect, test } from 'vitest';
import {
  type ChargingCurve,
  chargeFullAt,
  chargingCurveOf,
  forecastFullCharge,
  isForecastDue,
  type PastChargingSession,
} from './charge-forecast.ts';
import { chargeForecastsOf, forecastRecordOf } from './forecast-record.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AT = Date.parse('2026-03-02T06:00:00Z');

/** Returns a charge from `first` to `last` % that takes `minutes` for each percentage point. */
const course = (
  first: number,
  last: number,
  minutes: number | ((percent: number) => number),
): ChargingCurve => {
  const reachedMs = [0];
  for (let percent = first; percent < last; percent++)
    reachedMs.push(
      (reachedMs.at(-1) ?? 0) + (typeof minutes === 'number' ? minutes : minutes(percent)) * MINUTE,
    );
  return { firstPercent: first, reachedMs };
};
const charge = (
  n: number,
  minutes: number | ((percent: number) => number),
  last = 100,
): PastChargingSession => ({
  from: AT - (20 - n) * DAY,
  watts: 20_000,
  course: course(30, last, minutes),
});
const charges = (...minutes: number[]) => minutes.map((each, n) => charge(n, each));
const present = (percent: number, minutes = 3) => ({
  at: AT,
  percent,
  watts: 20_000,
  course: course(30, Math.floor(percent), minutes),
});
/** Returns the start and the end of a range, in minutes after AT. */
const minutesOf = (range: { from: number; to: number } | undefined) =>
  range && [(range.from - AT) / MINUTE, (range.to - AT) / MINUTE];

describe('the times at which a charge reaches each percentage (14.2h)', () => {
  test.each([
    [
      'evenly between two levels',
      [
        [0, 20],
        [10, 30],
      ],
      20,
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ],
    [
      'from the first whole percent',
      [
        [0, 20.5],
        [10, 22.5],
      ],
      21,
      [2.5, 7.5],
    ],
    [
      'a level that falls is ignored',
      [
        [0, 20],
        [10, 22],
        [20, 21],
        [30, 24],
      ],
      20,
      [0, 5, 10, 20, 30],
    ],
    ['one level', [[0, 20]], 20, [0]],
    [
      'nothing above 100 %',
      [
        [0, 99],
        [10, 101],
      ],
      99,
      [0, 5],
    ],
    [
      'between two percents',
      [
        [0, 20.2],
        [10, 20.8],
      ],
      undefined,
      [],
    ],
    ['no level', [], undefined, []],
  ] as const)(
    'a charge gives the time at which it reaches each percentage: %s (14.2h)',
    (_, levels, firstPercent, minutes) => {
      const made = chargingCurveOf(
        AT,
        levels.map(([minute, percent]) => ({ at: AT + minute * MINUTE, percent })),
      );
      expect(made).toEqual({ firstPercent, reachedMs: minutes.map((each) => each * MINUTE) });
    },
  );

  test('a charge is full at 99 %, or at once if it began above that; an interrupted charge is never full (14.2h)', () => {
    expect(chargeFullAt({ from: AT, course: course(30, 100, 1) })).toBe(AT + 69 * MINUTE);
    expect(chargeFullAt({ from: AT, course: course(30, 98, 1) })).toBeUndefined();
    expect(chargeFullAt({ from: AT, course: { firstPercent: 100, reachedMs: [5] } })).toBe(AT + 5);
    expect(chargeFullAt({ from: AT, course: { firstPercent: undefined, reachedMs: [] } })).toBeUndefined();
  });
});

describe('the forecast of when a charge is full (14.2i) (14.2i)', () => {
  test.each([
    [
      'F1, all alike: 19 percents of 3 minutes, and the least width',
      charges(3, 3, 3, 3, 3),
      present(80),
      [45, 65],
    ],
    ['F2, four charges are too few for a forecast', charges(3, 3, 3, 3), present(80), undefined],
    [
      'F3, the remaining percents of a charge that slows down',
      Array.from({ length: 9 }, (_, n) => charge(n, (percent) => (percent < 90 ? 3 : 12))),
      present(80),
      [130, 150],
    ],
    ['F4, the median: one slow charge changes little', charges(3, 3, 9, 3, 3), present(80), [45, 65]],
    [
      'F5, a charge that is twice as slow as others gets a later forecast',
      charges(3, 3, 3, 3, 3),
      present(80, 6),
      [105, 125],
    ],
    ['F6, a battery that is full already', charges(3, 3, 3, 3, 3), present(99), undefined],
    [
      'F7, an interrupted charge counts only for the percents that it reached',
      Array.from({ length: 9 }, (_, n) => charge(n, 3, 90)),
      present(80),
      undefined,
    ],
    ['F8, half of the present percent remains', charges(3, 3, 3, 3, 3), present(80.5), [45, 65]],
    [
      'F9, charges at another charger do not count',
      charges(3, 3, 3, 3, 3),
      { ...present(80), watts: 25_001 },
      undefined,
    ],
    [
      'F9b, charges at a similar charger count',
      charges(3, 3, 3, 3, 3),
      { ...present(80), watts: 25_000 },
      [45, 65],
    ],
    [
      'F10, charges without a known power',
      charges(3, 3, 3, 3, 3),
      { ...present(80), watts: undefined },
      undefined,
    ],
  ])('a forecast is made from earlier charges, or not: %s (14.2i)', (_, past, now, expected) => {
    expect(minutesOf(forecastFullCharge(past, now))).toEqual(expected);
  });

  test('the range of a forecast is widened to the times that earlier charges needed (14.2i)', () => {
    const widths = [
      charges(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3),
      charges(3, 4, 2.5, 3.5, 3, 4, 2.5, 3.5, 3, 4, 2.5),
    ].map((past) => {
      // The pace of a charge that has just begun is unknown.
      const range = forecastFullCharge(past, { ...present(80), course: course(80, 80, 3) });
      return ((range?.to ?? 0) - (range?.from ?? 0)) / MINUTE;
    });
    expect(widths).toEqual([10, 60]);
  });

  test.each([
    [40, undefined, true],
    [44.9, 40, false],
    [45, 40, true],
    [81, 80, false],
    [82, 80, true],
    [99, 90, false],
    [99, undefined, false],
  ])('a new forecast at %d %% after one at %s %% is due: %s (14.2i)', (percent, last, due) => {
    expect(isForecastDue(percent, last)).toBe(due);
  });
});

describe('the record of earlier forecasts (14.2j)', () => {
  // This charge is full 207 minutes after its start.
  const full = { from: AT, course: course(30, 100, 3) };
  const forecast = (minute: number, from: number, to: number) => ({
    at: AT + minute * MINUTE,
    from: AT + from * MINUTE,
    to: AT + to * MINUTE,
  });

  test('the first forecast of each charge counts, and the last one that was made at least an hour before the charge ended (14.2j)', () => {
    const first = forecast(5, 200, 210);
    const later = forecast(147, 210, 220);
    const last = forecast(148, 200, 210);
    const one = chargeForecastsOf(full, [forecast(-5, 0, 900), first, later, last]);
    expect(one).toMatchObject({ full: AT + 207 * MINUTE, first, hourBefore: later });
    expect(forecastRecordOf([one as NonNullable<typeof one>])).toEqual({
      start: { held: 1, of: 1 },
      hourBefore: { held: 0, of: 1 },
    });
  });

  test('a forecast within the last hour of a charge counts only if it is the first; interrupted charges do not count (14.2j)', () => {
    const one = chargeForecastsOf(full, [forecast(160, 200, 206)]);
    expect(forecastRecordOf(one ? [one] : [])).toEqual({
      start: { held: 0, of: 1 },
      hourBefore: { held: 0, of: 0 },
    });
    expect(
      chargeForecastsOf({ from: AT, course: course(30, 98, 3) }, [forecast(5, 200, 210)]),
    ).toBeUndefined();
    expect(chargeForecastsOf(full, [])).toBeUndefined();
  });
});
