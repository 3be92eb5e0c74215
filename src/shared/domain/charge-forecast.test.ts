import { describe, expect, test } from 'vitest';
import {
  type ChargeCourse,
  courseOf,
  forecastFull,
  fullAt,
  isForecastDue,
  type PastCharge,
} from './charge-forecast.ts';
import { chargeForecastsOf, recordOf } from './forecast-record.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AT = Date.parse('2026-03-02T06:00:00Z');

/** From a whole percent to another one, so many minutes for each. */
const course = (
  first: number,
  last: number,
  minutes: number | ((percent: number) => number),
): ChargeCourse => {
  const reachedMs = [0];
  for (let percent = first; percent < last; percent++)
    reachedMs.push(
      (reachedMs.at(-1) ?? 0) + (typeof minutes === 'number' ? minutes : minutes(percent)) * MINUTE,
    );
  return { firstPercent: first, reachedMs };
};
const charge = (n: number, minutes: number | ((percent: number) => number), last = 100): PastCharge => ({
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
/** Minutes from AT. */
const minutesOf = (range: { from: number; to: number } | undefined) =>
  range && [(range.from - AT) / MINUTE, (range.to - AT) / MINUTE];

describe('the course of a charge (14.2h)', () => {
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
      'it never goes down',
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
      'beyond 100 there is nothing',
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
  ] as const)('%s (14.2h)', (_, levels, firstPercent, minutes) => {
    const made = courseOf(
      AT,
      levels.map(([minute, percent]) => ({ at: AT + minute * MINUTE, percent })),
    );
    expect(made).toEqual({ firstPercent, reachedMs: minutes.map((each) => each * MINUTE) });
  });

  test('a charge is full at 99 %, or at its begin if that was higher; an interrupted charge never is (14.2h)', () => {
    expect(fullAt({ from: AT, course: course(30, 100, 1) })).toBe(AT + 69 * MINUTE);
    expect(fullAt({ from: AT, course: course(30, 98, 1) })).toBeUndefined();
    expect(fullAt({ from: AT, course: { firstPercent: 100, reachedMs: [5] } })).toBe(AT + 5);
    expect(fullAt({ from: AT, course: { firstPercent: undefined, reachedMs: [] } })).toBeUndefined();
  });
});

describe('the forecast (14.2i)', () => {
  test.each([
    [
      'F1 all alike: 19 percents of 3 minutes, and the least width',
      charges(3, 3, 3, 3, 3),
      present(80),
      [45, 65],
    ],
    ['F2 four charges say nothing', charges(3, 3, 3, 3), present(80), undefined],
    [
      'F3 the percents that are left at a taper',
      Array.from({ length: 9 }, (_, n) => charge(n, (percent) => (percent < 90 ? 3 : 12))),
      present(80),
      [130, 150],
    ],
    ['F4 the median: one slow charge changes little', charges(3, 3, 9, 3, 3), present(80), [45, 65]],
    [
      'F5 a charge that is twice as slow as others gets a later forecast',
      charges(3, 3, 3, 3, 3),
      present(80, 6),
      [105, 125],
    ],
    ['F6 full already', charges(3, 3, 3, 3, 3), present(99), undefined],
    [
      'F7 no charge that was broken off tells what comes after',
      Array.from({ length: 9 }, (_, n) => charge(n, 3, 90)),
      present(80),
      undefined,
    ],
    ['F8 half of a percent is left of the first one', charges(3, 3, 3, 3, 3), present(80.5), [45, 65]],
    ['F9 another charger', charges(3, 3, 3, 3, 3), { ...present(80), watts: 25_001 }, undefined],
    ['F9b nearly the same one', charges(3, 3, 3, 3, 3), { ...present(80), watts: 25_000 }, [45, 65]],
    ['F10 no power known', charges(3, 3, 3, 3, 3), { ...present(80), watts: undefined }, undefined],
  ])('%s (14.2i)', (_, past, now, expected) => {
    expect(minutesOf(forecastFull(past, now))).toEqual(expected);
  });

  test('widens the range to what earlier charges needed (14.2i)', () => {
    const widths = [
      charges(3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3),
      charges(3, 4, 2.5, 3.5, 3, 4, 2.5, 3.5, 3, 4, 2.5),
    ].map((past) => {
      // Nothing is known of the pace of one that has just begun.
      const range = forecastFull(past, { ...present(80), course: course(80, 80, 3) });
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
  ])('a forecast at %d %% after one at %s %% is due: %s (14.2i)', (percent, last, due) => {
    expect(isForecastDue(percent, last)).toBe(due);
  });
});

describe('the record (14.2j)', () => {
  // Full 207 minutes after it began.
  const full = { from: AT, course: course(30, 100, 3) };
  const forecast = (minute: number, from: number, to: number) => ({
    at: AT + minute * MINUTE,
    from: AT + from * MINUTE,
    to: AT + to * MINUTE,
  });

  test('counts the first forecast of each charge, and the last one an hour before its end (14.2j)', () => {
    const first = forecast(5, 200, 210);
    const later = forecast(147, 210, 220);
    const last = forecast(148, 200, 210);
    const one = chargeForecastsOf(full, [forecast(-5, 0, 900), first, later, last]);
    expect(one).toMatchObject({ full: AT + 207 * MINUTE, first, hourBefore: later });
    expect(recordOf([one as NonNullable<typeof one>])).toEqual({
      start: { held: 1, of: 1 },
      hourBefore: { held: 0, of: 1 },
    });
  });

  test('leaves out charges of less than an hour, interrupted charges, and charges without a forecast (14.2j)', () => {
    const one = chargeForecastsOf(full, [forecast(160, 200, 206)]);
    expect(recordOf(one ? [one] : [])).toEqual({ start: { held: 0, of: 1 }, hourBefore: { held: 0, of: 0 } });
    expect(
      chargeForecastsOf({ from: AT, course: course(30, 98, 3) }, [forecast(5, 200, 210)]),
    ).toBeUndefined();
    expect(chargeForecastsOf(full, [])).toBeUndefined();
  });
});
