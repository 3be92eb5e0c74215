import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { dateAndSecond } from '#shared/domain/nl.ts';
import { railDataOf } from './rail-data.ts';
import {
  codeText,
  instantAtSliderPosition,
  positionText,
  SLIDER_END,
  sliderMomentAt,
  sliderPositionAt,
  speedText,
} from './slider-moment.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const T = Date.parse('2025-04-12T06:00:00Z');
type Interval = readonly [from: number, to: number, value: number];

/** Returns a response with the given intervals, whose times are ms after T. */
function answerOf(series: {
  speed?: readonly Interval[];
  status?: readonly Interval[];
  path?: readonly (readonly [number, number, number])[];
}): LmbData {
  const points = (list: readonly Interval[] = []) =>
    list.map(([from, to, _value]) => ({
      _time: iso(T + from),
      _start: iso(T + from),
      _stop: iso(T + to),
      _value,
    }));
  const legend = [{ value: 2, color: '#2563eb', name: 'Rijden' }];
  const location = (series.path ?? []).map(([at, lat, lon]) => ({ lat, lon, time: iso(T + at) }));
  return {
    spoor: [],
    spoorstand: [],
    legendas: { machinestatus: legend, spoordata: [] },
    speed: [{ name: 'speed', data: points(series.speed), colors: [] }],
    machinestatus: [{ name: 'machinestatus', data: points(series.status), colors: legend }],
    spoordata: [
      { name: 'spoor', data: [], colors: [] },
      { name: 'spoorstand', data: [], colors: [] },
    ],
    location,
    position: location.at(-1) ?? null,
    totals: null,
    lastDay: null,
  };
}

const HOUR = 3_600_000;
const range = { from: T, to: T + HOUR };

describe('the moment of the slider (LOG-05)', () => {
  const data = railDataOf(
    answerOf({
      speed: [
        [0, 3_600, 10],
        [3_600, 7_200, 20],
      ],
      status: [
        [0, 36_000, 2],
        [36_000, 72_000, 7],
        [720_000, 720_000, 2],
      ],
      path: [
        [0, 52, 5],
        [36_000, 52.1, 5.2],
        [2 * HOUR, 53, 6],
      ],
    }),
  );
  test.each([
    [0, { speed: 10, machinestatus: 2, place: { lat: 52, lon: 5 } }],
    [1, { speed: 20, machinestatus: 2 }],
    [5, { speed: 20, machinestatus: 2, place: { lat: expect.closeTo(52.05), lon: expect.closeTo(5.1) } }],
    [10, { machinestatus: 7, place: { lat: 52.1, lon: 5.2 } }], // an interval ends where the next begins
    [20, { machinestatus: 7 }], // an interval includes its end
    [21, { machinestatus: undefined }],
    [85, { speed: undefined, place: { lat: 52.1, lon: 5.2 } }], // a reading is valid for 5 minutes
    [200, { machinestatus: 2 }], // an interval of one reading is one instant
    [201, { machinestatus: undefined }],
    [1000, { machinestatus: undefined, place: { lat: 52.1, lon: 5.2 } }], // the last known place
  ])('the slider’s moment has the values at step %i', (position, expected) => {
    const moment = sliderMomentAt(data, range, position);
    expect(moment).toMatchObject({ instant: T + position * 3_600, ...expected });
  });

  test('a bucket has a speed from its start on, even if the first reading that the server returns for it is later', () => {
    const late = { _time: iso(T + 50_000), _start: iso(T), _stop: iso(T + 60_000), _value: 5 };
    const answer = { ...answerOf({}), speed: [{ name: 'speed', data: [late], colors: [] }] };
    expect(sliderMomentAt(railDataOf(answer), range, 0).speed).toBe(5);
  });

  test('before the first reported position the slider shows no position, and without data no values', () => {
    expect(sliderMomentAt(data, { from: T - HOUR, to: T }, 500).place).toBeUndefined();
    const nothing = {
      speed: undefined,
      machinestatus: undefined,
      spoor: undefined,
      spoorstand: undefined,
      place: undefined,
    };
    expect(sliderMomentAt(railDataOf(answerOf({})), range, 500)).toEqual({
      instant: T + HOUR / 2,
      ...nothing,
    });
  });

  test('each value at the slider’s time has a text, also a code that is not in the legend', () => {
    expect(dateAndSecond(T)).toBe('12-04-25, 08:00:00');
    expect([speedText(12.34), speedText(undefined)]).toEqual(['12,3 km/u', 'geen gegevens']);
    expect([2, 7, undefined].map((code) => codeText(data.machinestatus, code))).toEqual([
      'Rijden',
      'onbekend (7)',
      'geen gegevens',
    ]);
    expect(positionText({ lat: 52.1, lon: 5.25 })).toBe('52.100000 / 5.250000');
  });
});

/** Arbitrary consecutive intervals, some with gaps in between. */
const intervalArrays = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 20 * 60_000 }),
      length: fc.integer({ min: 0, max: HOUR }),
      value: fc.integer({ min: -5, max: 9 }),
    }),
    { maxLength: 40 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ gap, length, value }): Interval => {
      const from = at + gap;
      at = from + length + 1;
      return [from, from + length, value];
    });
  });
const ranges = fc.record({
  from: fc.integer({ min: -HOUR, max: 10 * HOUR }),
  length: fc.integer({ min: 1_001, max: 31 * 24 * HOUR }),
});
const steps = fc.integer({ min: 0, max: SLIDER_END });

describe('for random data and positions (LOG-05)', () => {
  test('slider, cursor, marker and texts show the values at the same time', () => {
    fc.assert(
      fc.property(
        intervalArrays,
        intervalArrays,
        ranges,
        steps,
        (speed, status, { from, length }, position) => {
          // All buckets of a response have the same length, except the first and the last. If any bucket is long, one
          // of the first four must be long.
          const isLong = ([start, stop]: Interval): boolean => stop - start > 300_000;
          fc.pre(speed.length <= 4 || speed.slice(0, 4).some(isLong) || !speed.some(isLong));
          const path = speed.map(([at], n): [number, number, number] => [at, 50 + n / 100, 5 + n / 100]);
          const data = railDataOf(answerOf({ speed, status, path }));
          const shown = { from: T + from, to: T + from + length };
          const moment = sliderMomentAt(data, shown, position);
          // A click on the cursor must not move the slider.
          expect(sliderPositionAt(shown, moment.instant)).toBe(position);
          const at = moment.instant - T;
          // Compares with a linear search of all intervals.
          const found = status.findLast(([start, stop]) => start <= at && at <= stop);
          expect(moment.machinestatus).toBe(found?.[2]);
          const reading = speed.findLast(([start]) => start <= at);
          const holds = reading && at <= Math.max(reading[1], reading[0] + 300_000);
          expect(moment.speed).toBe(holds ? reading[2] : undefined);
          const before = path.findLast(([time]) => time <= at);
          const after = path.find(([time]) => time > at);
          if (!before) expect(moment.place).toBeUndefined();
          else {
            const [low, high] = [before[1], after && after[0] - before[0] <= 300_000 ? after[1] : before[1]];
            expect(moment.place?.lat).toBeGreaterThanOrEqual(low);
            expect(moment.place?.lat).toBeLessThanOrEqual(high);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('the times of the slider’s positions increase from the start to the end of the range', () => {
    fc.assert(
      fc.property(ranges, steps, steps, ({ from, length }, a, b) => {
        const shown = { from, to: from + length };
        expect(instantAtSliderPosition(shown, 0)).toBe(shown.from);
        expect(instantAtSliderPosition(shown, SLIDER_END)).toBe(shown.to);
        if (a < b) expect(instantAtSliderPosition(shown, a)).toBeLessThan(instantAtSliderPosition(shown, b));
      }),
    );
  });
});

test('a time outside the range gives the first or last position of the slider, whichever is nearer (LOG-03)', () => {
  const range = { from: 1_000, to: 2_000 };
  expect([0, 1_000, 1_500.4, 2_000, 9_999].map((instant) => sliderPositionAt(range, instant))).toEqual([
    0, 0, 500, 1000, 1000,
  ]);
  expect(sliderPositionAt({ from: 5, to: 5 }, 5)).toBe(0);
});
