import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUCKET_MS, type Bucket, bucketsOf, MAX_GAP_MS } from './intervals.ts';
import type { Reading, Signals } from './signal.ts';
import { sumOfBuckets } from './test/bucket-sums.ts';

/** Start of a bucket, so that T + 1 s reads as "one second into the first bucket". */
const T = Date.UTC(2026, 10, 21, 12, 0, 0);
const at = (seconds: number, signals: Signals = {}): Reading => ({ time: T + seconds * 1000, signals });
const total = (readings: Reading[]) => sumOfBuckets(bucketsOf(readings).values());

const RUNS: Signals = { MotorSpeed: 900 };
const PLUGGED: Signals = { IsCharging1: 1, ChargingCurrent: 20 };
const HERE: Signals = { LATITUDE: 52, LONGITUDE: 5 };
const NORTH: Signals = { LATITUDE: 52.001, LONGITUDE: 5 }; // 111.195 m further

// The figures that are not 0.
test.each<[string, Reading[], Partial<Bucket>]>([
  ['no readings', [], {}],
  ['one reading makes no interval', [at(0, { ...RUNS, BatteryCurrent: 10 })], { count: 1 }],
  ['running for 10 s', [at(0, RUNS), at(10)], { runningMs: 10_000, count: 2 }],
  ['the state of the earlier reading', [at(0), at(10, RUNS)], { count: 2 }],
  ['speed exactly 150', [at(0, { MotorSpeed: 150 }), at(10)], { count: 2 }],
  ['a gap of exactly 5 minutes', [at(0, RUNS), at(300)], { runningMs: 300_000, count: 2 }],
  ['a longer gap counts nothing', [at(0, { ...RUNS, ...HERE }), at(300.001, NORTH)], { count: 2 }],
  ['out, 700 V', [at(0, { BatteryCurrent: 10 }), at(10)], { outJ: 70_000, count: 2 }],
  [
    'out, its own voltage',
    [at(0, { BatteryCurrent: 10, BatteryVoltage: 500 }), at(10)],
    { outJ: 50_000, count: 2 },
  ],
  [
    'in: fed back',
    [at(0, { ...RUNS, BatteryCurrent: -10 }), at(10)],
    { runningMs: 10_000, inJ: 70_000, count: 2 },
  ],
  ['charged', [at(0, { ...PLUGGED, BatteryCurrent: -10 }), at(10)], { chargedJ: 70_000, count: 2 }],
  [
    'charging but discharging on balance',
    [at(0, { ...PLUGGED, BatteryCurrent: 1 }), at(10)],
    { outJ: 7000, count: 2 },
  ],
  ['charged, no battery current', [at(0, PLUGGED), at(10)], { chargedJ: 140_000, count: 2 }],
  [
    'charged, charging voltage',
    [at(0, { ...PLUGGED, ChargingVoltage: 400 }), at(10)],
    { chargedJ: 80_000, count: 2 },
  ],
  ['a negative charging voltage', [at(0, { ...PLUGGED, ChargingVoltage: -400 }), at(10)], { count: 2 }],
  ['charging current without a flag', [at(0, { ChargingCurrent: 20 }), at(10)], { count: 2 }],
  [
    'charging and running',
    [at(0, { ...PLUGGED, ...RUNS }), at(1)],
    { runningMs: 1000, chargedJ: 14_000, count: 2 },
  ],
  ['power zero', [at(0, { BatteryCurrent: 0 }), at(10)], { count: 2 }],
  [
    'half a joule rounds up, out',
    [at(0, { BatteryCurrent: 0.5, BatteryVoltage: 1 }), at(1)],
    { outJ: 1, count: 2 },
  ],
  [
    'half a joule rounds up, in',
    [at(0, { BatteryCurrent: -0.5, BatteryVoltage: 1 }), at(1)],
    { inJ: 1, count: 2 },
  ],
  ['distance', [at(0, HERE), at(10, NORTH)], { distanceMm: 111_195, count: 2 }],
  ['a reading without a position between', [at(0, HERE), at(5), at(10, NORTH)], { count: 3 }],
  [
    'soc: mean per reading',
    [at(0, { Soc1: 80, soc2: 41 })],
    {
      socMin: 60.5,
      socMax: 60.5,
      socSumMilli: 60_500,
      socCount: 1,
      count: 1,
    },
  ],
  [
    'soc: readings without one',
    [at(0, { SOC: 80 }), at(1), at(2, { SOC: 33.3333 })],
    {
      socMin: 33.333,
      socMax: 80,
      socSumMilli: 113_333,
      socCount: 2,
      count: 3,
    },
  ],
  [
    'speed: the lowest and highest, and none',
    [at(0, { Speed: 3 }), at(1), at(2, { Speed: -1 }), at(3, { Speed: 80.5 })],
    { speedMin: -1, speedMax: 80.5, count: 4 },
  ],
])('MDET-05 MDET-08 LOG-06 figures: %s', (_name, readings, expected) => {
  const nothing = { runningMs: 0, outJ: 0, inJ: 0, chargedJ: 0, distanceMm: 0 };
  const noSoc = { socMin: undefined, socMax: undefined, socSumMilli: 0, socCount: 0, count: 0 };
  const noSpeed = { speedMin: undefined, speedMax: undefined };
  expect(total(readings)).toEqual({ ...nothing, ...noSoc, ...noSpeed, ...expected });
});

test('MDET-08 an interval is split at the bucket boundary, its distance is not', () => {
  const signals = { ...RUNS, ...HERE, BatteryCurrent: 0.001 }; // 0.7 W
  const buckets = bucketsOf([at(299, signals), at(301, NORTH)]);
  expect([...buckets.keys()]).toEqual([T, T + BUCKET_MS]);
  expect(buckets.get(T)).toMatchObject({ runningMs: 1000, outJ: 1, distanceMm: 111_195, count: 1 });
  expect(buckets.get(T + BUCKET_MS)).toMatchObject({ runningMs: 1000, outJ: 1, distanceMm: 0, count: 1 });
});

test('MDET-08 a reading on the boundary belongs to the bucket that begins there', () => {
  const buckets = bucketsOf([at(0, RUNS), at(300, RUNS), at(301)]);
  expect(buckets.get(T)).toMatchObject({ runningMs: 300_000, count: 1 });
  expect(buckets.get(T + BUCKET_MS)).toMatchObject({ runningMs: 1000, count: 2 });
});

test('MDET-05 a range counts what lies inside it', () => {
  const readings = [
    at(0, { ...RUNS, ...HERE, Soc1: 50 }),
    at(60, { ...RUNS, ...NORTH, Soc1: 40 }),
    at(120, HERE),
  ];
  const range = { from: T + 30_000, to: T + 90_000 };
  expect(bucketsOf(readings, range).get(T)).toMatchObject({
    runningMs: 60_000,
    distanceMm: 111_195, // from the reading at 60 s; the one at 0 s is outside
    socSumMilli: 40_000,
    count: 1,
  });
});

const randomReadings = fc.uniqueArray(
  fc.record({
    time: fc.integer({ min: T - 3_600_000, max: T + 3_600_000 }),
    signals: fc.oneof(
      fc.record({
        MotorSpeed: fc.constantFrom(0, 900),
        BatteryCurrent: fc.float({ min: -400, max: 400, noNaN: true }),
      }),
      fc.record({ IsCharging1: fc.constantFrom(0, 1), ChargingCurrent: fc.integer({ min: 0, max: 90 }) }),
      fc.record({ LATITUDE: fc.float({ min: 50, max: 53, noNaN: true }), LONGITUDE: fc.constant(5) }),
      fc.record({
        Soc1: fc.float({ min: 0, max: 100, noNaN: true }),
        Speed: fc.float({ min: 0, max: 99, noNaN: true }),
      }),
    ),
  }),
  { selector: (reading) => reading.time, maxLength: 60 },
);

test('MDET-08 figures are whole numbers that do not depend on the order of arrival', () => {
  fc.assert(
    fc.property(randomReadings, (readings) => {
      const buckets = bucketsOf(readings);
      expect(bucketsOf([...readings].reverse())).toEqual(buckets);
      const sum = sumOfBuckets(buckets.values());
      expect(sumOfBuckets([...buckets.values()].reverse())).toEqual(sum);
      const { socMin: _min, socMax: _max, speedMin: _slow, speedMax: _fast, ...whole } = sum;
      for (const figure of Object.values(whole)) expect(Number.isSafeInteger(figure)).toBe(true);
      expect(sum.count).toBe(readings.length);
    }),
  );
});

test('MDET-08 every bucket holds a reading, so the roll-up needs no row for an empty one', () => {
  expect(MAX_GAP_MS).toBeLessThanOrEqual(BUCKET_MS);
  fc.assert(
    fc.property(randomReadings, (readings) => {
      for (const bucket of bucketsOf(readings).values()) expect(bucket.count).toBeGreaterThan(0);
    }),
  );
});

test('MDET-08 a late reading changes only its own bucket and its neighbours within the gap', () => {
  fc.assert(
    fc.property(randomReadings, fc.nat(), (readings, pick) => {
      fc.pre(readings.length > 1);
      const late = readings[pick % readings.length]!;
      const before = bucketsOf(readings.filter((reading) => reading !== late));
      const own = Math.floor(late.time / BUCKET_MS) * BUCKET_MS;
      for (const [start, bucket] of bucketsOf(readings)) {
        if (Math.abs(start - own) > BUCKET_MS) expect(before.get(start)).toEqual(bucket);
      }
    }),
  );
});
