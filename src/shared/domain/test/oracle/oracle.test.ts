import { describe, expect, test } from 'vitest';
import type { Reading } from '#shared/domain/signal.ts';
import {
  type AcceptedDelivery,
  acceptDelivery,
  type ClockState,
  type Delivery,
  type DeliveryRefusal,
  deliveryTimeOf,
  keptSignalName,
  mergeAcceptedReadings,
  mergeSignals,
  readingsOfLog,
} from './accept.ts';
import { type Area, areaSizeSquareMetres, metresOutside } from './area.ts';
import { computeBuckets } from './buckets.ts';
import { chargingEvents } from './charging.ts';
import { type DayFigures, dayAround, dayFigures, daysOfUse, daysOverlapping, isProvisional } from './days.ts';
import {
  computeDisplayedEnergies,
  computeEnergies,
  computePowerShare,
  computeWorkPower,
  type DisplayedEnergies,
  powerOfDays,
} from './energy.ts';
import { hourMeter, runningHours } from './hours.ts';
import {
  isStale,
  liveStateOf,
  type OracleLiveState,
  remainingChargeTime,
  remainingEnergy,
  remainingWorkTime,
} from './live.ts';
import { distanceMetres, distanceMm, pathPoints } from './path.ts';
import { type Assignment, computePresences, type Project } from './presence.ts';
import { chargingSessions, type Session } from './sessions.ts';
import {
  bucketSumsOf,
  clampSoc,
  meanSocAt,
  packNumberOf,
  rankPackNames,
  socByPack,
  socPoints,
  socSummary,
  sumValuesByBucket,
} from './soc.ts';
import {
  activityBands,
  coarseActivityBands,
  computeCodeIntervals,
  statusSums,
  statusTimeline,
} from './status.ts';
import {
  cableStateAt,
  FIVE_MINUTES_IN_MS,
  type Range,
  ReadingStream,
  UNLIMITED_RANGE,
  voltageOfCurrent,
} from './track.ts';

/** The worked examples of docs/figures.md, under the ids that they have there. */

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
/** 10:00 in Amsterdam: a whole hour, at which a 5-minute bucket begins. */
const START = Date.UTC(2026, 5, 1, 8);

type Signals = Readonly<Record<string, number>>;

/** Readings each `step` ms from `from` up to and including `to`, ms after START. */
function each(
  step: number,
  from: number,
  to: number,
  signals: Signals | ((at: number) => Signals),
): Reading[] {
  const readings: Reading[] = [];
  for (let at = from; at <= to; at += step) {
    readings.push({ time: START + at, signals: typeof signals === 'function' ? signals(at) : signals });
  }
  return readings;
}

const once = (at: number, signals: Signals): Reading[] => [{ time: START + at, signals }];

const stored = (...lists: readonly Reading[][]): Reading[] => mergeAcceptedReadings(lists.flat());

const shown = (...lists: readonly Reading[][]): DisplayedEnergies =>
  computeDisplayedEnergies(stored(...lists));

const around = (value: number): unknown => expect.closeTo(value, 4);

const CHARGING = { IsCharging: 1, ChargingCurrent: 50 };

describe('stored readings', () => {
  const delivery = (signals: Record<string, unknown>, received = START, file = 'a.json'): Delivery => ({
    logger: '1',
    file,
    received,
    signals,
  });
  const GMT_UNIX = START / 1000;
  const readingOf = (result: AcceptedDelivery | DeliveryRefusal): Reading | undefined =>
    'reading' in result ? result.reading : undefined;
  const signalsOf = (signals: Record<string, unknown>): Signals | undefined =>
    readingOf(acceptDelivery(delivery({ GMT_UNIX, ...signals }), new Map()))?.signals;

  test('the time of a reading is that of the first valid clock, rounded to ms (figures.md 1.1)', () => {
    const timeOf = (clocks: Record<string, unknown>) => deliveryTimeOf(delivery(clocks), new Map()).time;
    expect(timeOf({ RTC_UNIX: 3, DATETIME: 2, GMT_UNIX: 1 })).toBe(1000);
    expect(timeOf({ GMT_UNIX: 0, DATETIME: Number.NaN, RTC_UNIX: 1.2345 })).toBe(1235);
    expect(timeOf({ GMT_UNIX: null, DATETIME: '7' })).toBeUndefined();
  });

  test('a reading from before 2015 or more than 10 min ahead of its reception is refused (figures.md 1.1)', () => {
    const acceptAt = (time: number) => acceptDelivery(delivery({ GMT_UNIX: time / 1000 }), new Map());
    expect(acceptAt(Date.UTC(2015, 0, 1) - 1)).toEqual({ refusal: 'before 2015' });
    expect(readingOf(acceptAt(Date.UTC(2015, 0, 1)))).toBeDefined();
    expect(readingOf(acceptAt(START + 10 * MINUTE))?.time).toBe(START + 10 * MINUTE);
    expect(acceptAt(START + 10 * MINUTE + 1)).toEqual({ refusal: 'more than 10 min ahead' });
    expect(acceptDelivery(delivery({ MotorSpeed: 1 }), new Map())).toEqual({ refusal: 'no clock' });
  });

  describe('a clock that stands still (L3)', () => {
    const frozen = (n: number, state: ClockState, rtc = n) =>
      acceptDelivery(delivery({ GMT_UNIX, RTC_UNIX: GMT_UNIX + 10 * rtc }, START + n * 10 * SECOND), state);

    test('L3: the third upload with the same GMT_UNIX and a running RTC_UNIX is dated by RTC_UNIX', () => {
      const state: ClockState = new Map();
      const accepted = [0, 1, 2, 3].map((n) => frozen(n, state));
      expect(accepted.map((result) => readingOf(result)?.time)).toEqual([
        START,
        START,
        START + 20 * SECOND,
        START + 30 * SECOND,
      ]);
      expect(accepted.map((result) => 'frozen' in result && result.frozen)).toEqual([
        undefined,
        undefined,
        'GMT_UNIX',
        'GMT_UNIX',
      ]);
    });

    test('L3: a repeated upload gets the same time again and does not change the time of the next upload', () => {
      const state: ClockState = new Map();
      const accepted = [0, 1, 2, 2, 2, 3, 4].map((n) => frozen(n, state));
      expect(accepted.map((result) => ((readingOf(result)?.time ?? 0) - START) / SECOND)).toEqual([
        0, 0, 20, 20, 20, 30, 40,
      ]);
      const repeated: ClockState = new Map();
      expect([1, 1, 1, 1].map((n) => readingOf(frozen(n, repeated))?.time)).toEqual(
        Array.from({ length: 4 }, () => START),
      );
    });

    test('L3: a clock that goes backwards or is too far ahead does not replace a clock that stands still', () => {
      const backwards: ClockState = new Map();
      expect([5, 4, 6].map((rtc, n) => readingOf(frozen(n, backwards, rtc))?.time)).toEqual([
        START,
        START,
        START,
      ]);
      const ahead: ClockState = new Map();
      expect([90, 91, 92].map((rtc, n) => readingOf(frozen(n, ahead, rtc))?.time)).toEqual([
        START,
        START,
        START,
      ]);
    });

    test('L3: whether a clock stands still is decided for each file of each logger separately', () => {
      const state: ClockState = new Map();
      const times = [0, 1, 2, 3].map((n) =>
        deliveryTimeOf(delivery({ GMT_UNIX, RTC_UNIX: GMT_UNIX + n }, START, n % 2 ? 'a' : 'b'), state),
      );
      expect(times.map(({ clock }) => clock)).toEqual(Array.from({ length: 4 }, () => 'GMT_UNIX'));
    });
  });

  test('S5: Soc 127.5, BatteryVoltage 3276.75 and 1e308 are refused; Soc 100.5 is stored and shown as 100 %', () => {
    expect(signalsOf({ Soc1: 127.5, Own: 1e308, BatteryVoltage: 3276.75, soc2: 100.5 })).toEqual({
      soc2: 100.5,
    });
    expect(clampSoc(100.5)).toBe(100);
    expect(clampSoc(-0.5)).toBe(0);
  });

  test.each([
    ['MotorSpeed', 30_000, 30_000.5],
    ['MotorSpeed', -30_000, -30_001],
    ['BatteryCurrent', -3_000, -3_001],
    ['ChargingCurrent', 3_000, 3_001],
    ['BatteryVoltage', 0, -1],
    ['ChargingVoltage', 2_000, 2_001],
    ['Speed', 400, -401],
    ['SOCdisp', -1, -1.1],
    ['soc3', 101, 101.6],
    ['Own', 1e6, -1_000_001],
    ['Own', -5, Number.NaN],
    ['Own', 5, '5'],
    ['Own', 5, null],
  ])('a %s of %d is stored, and one of %s is refused (figures.md 1.2)', (name, kept, refused) => {
    expect(signalsOf({ [name]: kept })).toEqual({ [name]: kept });
    expect(signalsOf({ [name]: refused })).toEqual({});
  });

  test('an absolute value below 1e-9 is stored as 0 (figures.md 1.2)', () => {
    expect(signalsOf({ Own: -9e-10, MotorSpeed: 1e-9 })).toEqual({ Own: 0, MotorSpeed: 1e-9 });
  });

  test('a second delivery of one instant adds new signals and leaves existing values as they are (figures.md 1.3)', () => {
    expect(mergeSignals({ MotorSpeed: 1 }, { MotorSpeed: 2, Speed: 3 })).toEqual({ MotorSpeed: 1, Speed: 3 });
  });

  test('E8: a machine charges if one of two deliveries of one instant has a charging flag of 1, in either order', () => {
    const orders = (a: Signals, b: Signals) => [
      stored(once(0, a), once(0, b)),
      stored(once(0, b), once(0, a)),
    ];
    const pairs: [Signals, Signals][] = [
      [
        { IsCharging1: 0, ChargingCurrent: 50 },
        { IsCharging2: 1, ChargingCurrent: 50 },
      ],
      [
        { IsCharging1: 0, ChargingCurrent: 50 },
        { IsCharging1: 1, ChargingCurrent: 50 },
      ],
    ];
    for (const readings of pairs.flatMap(([a, b]) => orders(a, b))) {
      expect(cableStateAt(new ReadingStream(readings), START)).toBe('charging');
    }
  });

  test('D2: a latitude and a longitude from two deliveries of one instant make no position', () => {
    const parts = [signalsOf({ LATITUDE: 53 }) ?? {}, signalsOf({ LONGITUDE: 6 }) ?? {}];
    expect(mergeAcceptedReadings(parts.map((signals) => ({ time: START, signals })))).toEqual([
      { time: START, signals: {} },
    ]);
  });

  test('D3: the position of an instant comes from the first delivery that has both latitude and longitude', () => {
    const parts = [
      signalsOf({ LATITUDE: 53 }) ?? {},
      signalsOf({ LATITUDE: 52, LONGITUDE: 5 }) ?? {},
      signalsOf({ LATITUDE: 51, LONGITUDE: 4 }) ?? {},
    ];
    expect(mergeAcceptedReadings(parts.map((signals) => ({ time: START, signals })))).toEqual([
      { time: START, signals: { LATITUDE: 52, LONGITUDE: 5 } },
    ]);
  });

  test.each([
    [0, 6],
    [52, 0],
    [90.1, 6],
    [52, -180.1],
  ])('latitude %d with longitude %d is no position (figures.md 1.4)', (LATITUDE, LONGITUDE) => {
    expect(signalsOf({ LATITUDE, LONGITUDE })).toEqual({});
  });

  test('L5: if a log file has two values in one second, the later one counts, whatever their order in the file', () => {
    const lines = [
      { time: START + 900, signals: { Soc1: 51 } },
      { time: START + 100, signals: { Soc1: 50, Speed: 1 } },
      { time: START + 100, signals: { Speed: 2 } },
    ];
    expect(readingsOfLog(lines)).toEqual([{ time: START, signals: { Soc1: 51, Speed: 2 } }]);
  });

  test('a kept signal with the name of a portal signal is stored as message.name, so that it feeds no figure (figures.md 1.6)', () => {
    expect(
      ['MotorSpeed', 'soc9', 'SOCmax', 'IsChargingX', 'Oil'].map((name) => keptSignalName('SOC_1', name)),
    ).toEqual(['SOC_1.MotorSpeed', 'SOC_1.soc9', 'SOC_1.SOCmax', 'SOC_1.IsChargingX', 'Oil']);
    expect(packNumberOf('SOC_1.soc9')).toBeUndefined();
    expect(new ReadingStream(once(0, { 'IsCharging.IsCharging': 1 })).flags).toEqual([]);
  });
});

describe('how long a value counts', () => {
  const track = new ReadingStream([...once(0, { A: 1 }), ...once(FIVE_MINUTES_IN_MS, { A: 2 })]).track('A');

  test('a value holds until the next one, and accompanies other signals for 5 min', () => {
    expect(track.intervals()).toEqual([{ from: START, to: START + FIVE_MINUTES_IN_MS, value: 1 }]);
    expect([-1, 0, 299_999, 300_000, 600_000, 600_001].map((at) => track.before(START + at))).toEqual([
      undefined,
      1,
      1,
      2,
      2,
      undefined,
    ]);
    expect([-300_001, -300_000, -1, 0, 300_000].map((at) => track.after(START + at))).toEqual([
      undefined,
      1,
      1,
      2,
      undefined,
    ]);
  });

  test('a current is multiplied by the last voltage before it, else the first after it, else 700 V; 0 V is a value', () => {
    const stream = new ReadingStream([
      ...once(0, { BatteryVoltage: 0 }),
      ...once(MINUTE, { BatteryVoltage: 400 }),
    ]);
    const at = [-300_001, -300_000, 0, 59_999, 60_000, 360_000, 360_001];
    expect(at.map((ms) => voltageOfCurrent(stream, 'BatteryCurrent', START + ms))).toEqual([
      700, 0, 0, 0, 400, 400, 700,
    ]);
    expect(voltageOfCurrent(stream, 'ChargingCurrent', START)).toBe(700);
  });

  test.each([
    [{ IsCharging: 1, ChargingCurrent: 1.1 }, 'charging'],
    [{ IsCharging: 1 }, 'perhaps'],
    [{ IsCharging: 1, ChargingCurrent: 1 }, 'no'],
    [{ IsCharging: 0.9, ChargingCurrent: 50 }, 'no'],
    [{ ChargingCurrent: 50 }, 'no'],
  ])('whether a machine with %o is on the charging cable: %s', (signals, state) => {
    expect(cableStateAt(new ReadingStream(once(0, signals)), START)).toBe(state);
  });

  test('before the first value of its charging flags a machine with a charging current may be on the cable for 5 min', () => {
    const stream = new ReadingStream(
      stored(once(-1, { ChargingCurrent: 50 }), once(0, { IsCharging1: 0 }), once(1, { IsCharging2: 1 })),
    );
    expect([-300_001, -300_000, -299_999, -1, 0, 1].map((at) => cableStateAt(stream, START + at))).toEqual([
      'no',
      'no',
      // Each flag counts separately: IsCharging2 becomes 1 within 5 min, although IsCharging1 becomes 0 before that.
      'perhaps',
      'perhaps',
      'no',
      'charging',
    ]);
  });

  test('readings outside the caller’s ownership are hidden and do not end the interval of an earlier value', () => {
    const readings = each(10 * SECOND, 0, HOUR, { MotorSpeed: 1500 });
    const until = { from: START, to: START + 10 * MINUTE };
    const again = { from: START + 11 * MINUTE, to: START + 20 * MINUTE };
    expect(runningHours(readings, UNLIMITED_RANGE, [until]).runningMs).toBe(590 * SECOND);
    // The last reading of the first range and the first reading of the second are 70 s apart; no interval joins them.
    expect(runningHours(readings, UNLIMITED_RANGE, [again, until]).runningMs).toBe(
      590 * SECOND + 530 * SECOND,
    );
    expect(runningHours(readings, UNLIMITED_RANGE, [until, { from: until.to, to: again.to }]).runningMs).toBe(
      1190 * SECOND,
    );
  });
});

describe('running hours', () => {
  const running = { MotorSpeed: 1500 };

  test('H1: 10 min of MotorSpeed each 2 s count 0.1667 h, also if another signal is sent at 10 Hz', () => {
    const readings = stored(each(2 * SECOND, 0, 10 * MINUTE, running), each(100, 0, 10 * MINUTE, { Own: 1 }));
    expect(runningHours(readings).hours).toEqual(around(0.1667));
  });

  test('H2: 40 min of MotorSpeed each 4 min count 0.6667 h, though readings without MotorSpeed lie in between', () => {
    const readings = stored(
      each(4 * MINUTE, 0, 40 * MINUTE, running),
      each(4 * MINUTE, 2 * MINUTE, 38 * MINUTE, { Own: 1 }),
    );
    expect(runningHours(readings).hours).toEqual(around(0.6667));
  });

  test('H3: 10 min of MotorSpeed count 0.1667 h; the 50 min with only positions that follow count nothing', () => {
    const readings = stored(
      each(10 * SECOND, 0, 10 * MINUTE, running),
      each(10 * SECOND, 10 * MINUTE, HOUR, { LATITUDE: 52, LONGITUDE: 5 }),
    );
    expect(runningHours(readings).hours).toEqual(around(0.1667));
  });

  test('H4: two values 5:00.000 apart count 0.08333 h, and 5:00.001 apart 0 h', () => {
    expect(runningHours(stored(once(0, running), once(300_000, running))).hours).toBeCloseTo(0.08333, 5);
    expect(runningHours(stored(once(0, running), once(300_001, running)))).toEqual({
      runningMs: 0,
      hours: 0,
    });
  });

  test('H5: 10 min of running from 2:07 before a bucket begins are split into 127 s, 300 s and 173 s', () => {
    const buckets = computeBuckets(each(SECOND, -127 * SECOND, 473 * SECOND, running));
    expect([...buckets].map(([start, { runningMs }]) => [start - START, runningMs])).toEqual([
      [-FIVE_MINUTES_IN_MS, 127_000],
      [0, 300_000],
      [FIVE_MINUTES_IN_MS, 173_000],
    ]);
  });

  test('H6: running in a range of 120,001 ms, with a value each 10 s, counts 120,001 ms', () => {
    const readings = each(10 * SECOND, -HOUR, HOUR, running);
    expect(runningHours(readings, { from: START - 60_000, to: START + 60_001 }).runningMs).toBe(120_001);
  });

  test('without MotorSpeed the hours of a range are unknown, and the hour meter adds 0 to the initial hours', () => {
    expect(runningHours(each(SECOND, 0, MINUTE, { Own: 1 })).hours).toBeNull();
    expect(hourMeter(each(SECOND, 0, MINUTE, { Own: 1 }), 12)).toEqual({ total: 12, owned: 0 });
    const readings = each(10 * SECOND, 0, HOUR, running);
    expect(hourMeter(readings, 12, [{ from: START + HOUR / 2, to: START + 2 * HOUR }])).toEqual({
      total: 13,
      owned: 0.5,
    });
  });
});

describe('energy', () => {
  const battery = (BatteryCurrent: number, BatteryVoltage?: number): Signals =>
    BatteryVoltage === undefined ? { BatteryCurrent } : { BatteryCurrent, BatteryVoltage };

  test('E1: 30 min of 50 A each second and 400 V each 2 s are 10 kWh', () => {
    expect(
      shown(
        each(SECOND, 0, 30 * MINUTE, battery(50)),
        each(2 * SECOND, 0, 30 * MINUTE, { BatteryVoltage: 400 }),
      ),
    ).toEqual({ out: around(10), fedBack: 0, charged: 0, knownShare: 1 });
  });

  test('E2: -100 A x 200 V for 29:59 while a charger reports each 2 s are 9.9944 kWh charged and 0 fed back', () => {
    expect(
      shown(
        each(SECOND, 0, 1799 * SECOND, battery(-100, 200)),
        each(2 * SECOND, 0, 30 * MINUTE, { ...CHARGING, ChargingVoltage: 200 }),
      ),
    ).toMatchObject({ out: 0, fedBack: 0, charged: around(9.9944) });
  });

  test('E3: a current counts with 700 V until 5 min before the first voltage', () => {
    // Currents each 10 s.
    const current = each(10 * SECOND, 0, 6 * MINUTE, battery(50));
    const outWith = (at: number) => shown(current, once(at, { BatteryVoltage: 400 })).out;
    expect(outWith(6 * MINUTE + 300_001)).toEqual(around(3.5));
    expect(outWith(6 * MINUTE + 300_000)).toEqual(around(3.5));
    expect(outWith(4 * MINUTE)).toEqual(around(2));
  });

  test('E4: 1 h of 50 A each 10 s with 400 V each 6 min is 20 kWh', () => {
    expect(
      shown(each(10 * SECOND, 0, HOUR, battery(50)), each(6 * MINUTE, 0, HOUR, { BatteryVoltage: 400 })).out,
    ).toEqual(around(20));
  });

  test('E5: with one voltage of 400 V, currents up to 5 min later count with 400 V and all others with 700 V: 33.708 kWh', () => {
    // As in E4, the current is 50 A each 10 s for an hour.
    const out = shown(each(10 * SECOND, 0, HOUR, battery(50)), once(0, { BatteryVoltage: 400 })).out;
    expect(out).toBeCloseTo(33.708, 3);
  });

  test.each([
    ['without charger signals', {}, 0.8],
    ['flag 1 without current', { IsCharging: 1 }, 0],
    ['flag 1 and 1 A', { IsCharging: 1, ChargingCurrent: 1 }, 0.8],
    ['50 A without flag', { ChargingCurrent: 50 }, 0.8],
  ])('E6: energy fed back in 6 min of -20 A x 400 V depends on the charger: %s', (_, charger, fedBack) => {
    expect(shown(each(10 * SECOND, 0, 6 * MINUTE, { ...battery(-20, 400), ...charger }))).toEqual({
      out: 0,
      fedBack: around(fedBack),
      charged: 0,
      knownShare: 1,
    });
  });

  test('E7: -8 kW for 6 min is 0.8 kWh charged when one of two alternating charging flags is 1', () => {
    const flags = (at: number): Signals =>
      at % (2 * SECOND) === 0 ? { IsCharging1: 1 } : { IsCharging2: 0 };
    const readings = each(SECOND, 0, 6 * MINUTE, (at) => ({
      ...battery(-20, 400),
      ChargingCurrent: 20,
      ...flags(at),
    }));
    expect(shown(readings)).toMatchObject({ fedBack: 0, charged: around(0.8) });
  });

  test('E9: without BatteryCurrent, 30 min of a charger with 50 A x 400 V are 10 kWh charged, and the energy out is null', () => {
    expect(shown(each(10 * SECOND, 0, 30 * MINUTE, { ...CHARGING, ChargingVoltage: 400 }))).toEqual({
      out: null,
      fedBack: null,
      charged: around(10),
      knownShare: 0,
    });
  });

  test('E9b: all energies are null if only MotorSpeed is known', () => {
    expect(shown(each(10 * SECOND, 0, 30 * MINUTE, { MotorSpeed: 1500 }))).toMatchObject({
      out: null,
      fedBack: null,
      charged: null,
    });
  });

  test('E10: 1 h of 0.01 A x 400 V at 10 Hz is 0.004 kWh: rounding loses nothing', () => {
    expect(shown(each(100, 0, HOUR, battery(0.01, 400))).out).toBe(0.004);
  });

  test('E11: with 20 min at -8 kW, the energy up to 5 min after the charger’s last value counts as charged and the rest as fed back', () => {
    // IsCharging counts up to and including 5:00.000 after its last value, and the interval that begins then lasts 10 s.
    const { fedBack, charged } = shown(
      each(10 * SECOND, 0, 20 * MINUTE, battery(-20, 400)),
      each(10 * SECOND, 0, 10 * MINUTE, { IsCharging: 1, ChargingCurrent: 20 }),
    );
    expect(charged).toBeCloseTo(2.022, 3);
    expect(fedBack).toBeCloseTo(0.644, 3);
  });

  const slow = (chargerFrom: number) =>
    shown(
      each(4 * MINUTE, 0, 40 * MINUTE, battery(-50, 400)),
      each(4 * MINUTE, chargerFrom, 42 * MINUTE, CHARGING),
    );

  test('E12: 40 min of -20 kW are 13.333 kWh charged when battery and charger report each 4 min, 2 min apart', () => {
    expect(slow(-2 * MINUTE)).toMatchObject({ charged: expect.closeTo(13.333, 3), fedBack: 0 });
  });

  test('E13: without a charger value before 2 min, the first 4 min of -20 kW count as neither charged nor fed back', () => {
    expect(slow(2 * MINUTE)).toMatchObject({ charged: around(12), fedBack: 0 });
  });

  const minutely = (to: number, more: (at: number) => Signals) =>
    each(MINUTE, 0, to * MINUTE, (at) => ({ MotorSpeed: 0, ...battery(-60, 640), ...more(at) }));
  const rising = (at: number): number => 40 + (0.5 * at) / MINUTE;
  test.each<[string, (at: number) => Signals, Record<string, unknown>, number]>([
    [
      'E14, with a charging flag of 0 the battery is charged',
      () => ({ IsCharging1: 0 }),
      { fedBack: 0, charged: around(37.76) },
      59,
    ],
    [
      'E14, a Speed of 1 km/h means feeding back',
      () => ({ Speed: 1 }),
      { fedBack: around(37.76), charged: 0 },
      0,
    ],
    [
      'E14, a MotorSpeed of 151 from 30:00 on means feeding back',
      (at) => ({ MotorSpeed: at < 30 * MINUTE ? 0 : 151 }),
      { fedBack: around(18.56), charged: around(19.2) },
      30,
    ],
    [
      'E15, an outgoing current while the level rises is unknown',
      (at) => ({ BatteryCurrent: 60, Soc1: rising(at) }),
      { out: around(0.64), knownShare: 1 / 59 },
      0,
    ],
    [
      'E15, an outgoing current while the level stays the same counts',
      () => ({ BatteryCurrent: 60, Soc1: 40 }),
      { out: around(37.76) },
      0,
    ],
    [
      'E15, an outgoing current while the level falls counts',
      (at) => ({ BatteryCurrent: 60, Soc1: 80 - rising(at) }),
      { out: around(37.76) },
      0,
    ],
    [
      'E16, with a ChargingCurrent of 0 energy counts as charged, without charging time',
      () => ({ ChargingCurrent: 0 }),
      { fedBack: 0, charged: around(37.76) },
      0,
    ],
  ])(
    'energies and charging time of 59 min with 60 A x 640 V in or out each minute: %s',
    (_, more, expected, minutes) => {
      const readings = minutely(59, more);
      expect(shown(readings)).toMatchObject(expected);
      expect(statusSums(readings, { from: START, to: START + HOUR }).chargingMs).toBe(minutes * MINUTE);
    },
  );

  test('E17: with 6 min at -8 kW, the energy up to 1 min after the motor stops counts as fed back, and the rest as charged', () => {
    const readings = each(10 * SECOND, 0, 6 * MINUTE, (at) => ({
      ...battery(-20, 400),
      MotorSpeed: at <= 3 * MINUTE ? 900 : 0,
    }));
    const { fedBack, charged } = shown(readings);
    expect([fedBack, charged]).toEqual([expect.closeTo(0.5556, 4), expect.closeTo(0.2444, 4)]);
  });

  test('E18: a ChargingCurrent of 0 ends charging that was recognized by the battery current alone', () => {
    const readings = stored(
      minutely(30, () => ({})),
      once(29.5 * MINUTE, { ChargingCurrent: 0 }),
    );
    expect(statusSums(readings, { from: START, to: START + HOUR }).chargingMs).toBe(29.5 * MINUTE);
  });

  test('E19: energy out after a charge counts, though the charge level rose during the charge', () => {
    const readings = minutely(20, (at) => ({
      Soc1: Math.min(45, rising(at)),
      ...(at < 10 * MINUTE ? {} : { BatteryCurrent: 10 }),
    }));
    expect(shown(readings)).toMatchObject({ charged: around(6.4), out: around(1.0667), knownShare: 1 });
  });

  test('the energy of an interval is cut at bucket borders and the ends of the range, and each slice is rounded to mJ', () => {
    // 0.00123 W for 300,000 ms are 369 mJ; cut at the border between two buckets, 0.615 and 368.385 mJ.
    const readings = stored(once(-500, battery(0.00123, 1)), once(299_500, battery(0, 1)));
    expect(computeEnergies(readings).outMj).toBe(1 + 368);
    expect([...computeBuckets(readings).values()].map(({ outMj }) => outMj)).toEqual([1, 368]);
    expect(computeEnergies(readings, { from: START + 100, to: START + 200 }).outMj).toBe(0);
    expect(computeEnergies(readings, { from: START + 100, to: START + 600 }).outMj).toBe(1);
  });
});

describe('which buckets a late value changes', () => {
  test('R1: a late motor speed changes buckets up to 10 min later, a late voltage buckets from 5 min before it', () => {
    const u = 299_999;
    const current = (at: number) => once(at, { BatteryCurrent: 10 });
    const late = stored(current(u + 300_000), current(u + 600_000));
    const withSpeed = computeBuckets(stored(late, once(u, { MotorSpeed: 1500 })));
    expect([...withSpeed].flatMap(([at, { runKnownMs }]) => (runKnownMs > 0 ? [at - START] : []))).toEqual([
      FIVE_MINUTES_IN_MS,
      2 * FIVE_MINUTES_IN_MS,
    ]);

    const early = stored(current(-300_000), current(-1));
    const withVoltage = computeBuckets(stored(early, once(0, { BatteryVoltage: 100 })));
    expect(withVoltage.get(START - FIVE_MINUTES_IN_MS)?.outMj).toBe(10 * 100 * 299_999);
  });
});

describe('mean power while running', () => {
  /** Readings each 10 s from `from` to before `to`, ms after START, so that a part ends where the next begins. */
  const part = (from: number, to: number, signals: Signals) =>
    each(10 * SECOND, from, to - 10 * SECOND, signals);
  const power = (kW: number): Signals => ({ BatteryCurrent: (kW * 1000) / 400, BatteryVoltage: 400 });
  const running = { MotorSpeed: 1500 };

  test('P1: mean power counts only running: 6 min at 10 kW and 294 min parked at 2 kW give 10 kW', () => {
    const readings = stored(
      part(0, 6 * MINUTE, { ...running, ...power(10) }),
      each(10 * SECOND, 6 * MINUTE, 300 * MINUTE, { MotorSpeed: 0, ...power(2) }),
    );
    expect(computeWorkPower(readings)).toBe(10);
    expect(computePowerShare(readings)).toBe(1);
    expect(powerOfDays(readings)).toEqual([{ day: '2026-06-01', hours: 0.1, power: 10 }]);
  });

  test('P2: 1 h of running with a known 10 kW in the first half gives 10 kW, with a known share of 0.5', () => {
    const readings = stored(each(10 * SECOND, 0, HOUR, running), each(10 * SECOND, 0, HOUR / 2, power(10)));
    expect(computeWorkPower(readings)).toBe(10);
    expect(computePowerShare(readings)).toBe(0.5);
  });

  test('P3: running on the cable does not count: 1 h at 10 kW and 1 h on the cable give 10 kW, with a known share of 1', () => {
    // The charger reports in the first hour that it does not charge; without that, 5 min before its first value would be unknown.
    const readings = stored(
      part(0, HOUR, { ...running, ...power(10), IsCharging: 0 }),
      each(10 * SECOND, HOUR, 2 * HOUR, { ...running, ...power(-8), ...CHARGING }),
    );
    expect(computeWorkPower(readings)).toBe(10);
    expect(computePowerShare(readings)).toBe(1);
  });

  test('P3: the 5 min before the first value of a charger have an unknown power', () => {
    const readings = stored(
      part(0, HOUR, { ...running, ...power(10) }),
      each(10 * SECOND, HOUR, 2 * HOUR, { ...running, ...power(-8), ...CHARGING }),
    );
    expect(computeWorkPower(readings)).toBe(10);
    expect(computePowerShare(readings)).toBeCloseTo(55 / 60, 10);
  });

  test('P4: without a current the mean power is null; the minute of running still counts as hours', () => {
    const readings = each(10 * SECOND, 0, MINUTE, running);
    expect(computeWorkPower(readings)).toBeNull();
    expect(computePowerShare(readings)).toBe(0);
    expect(powerOfDays(readings)).toEqual([{ day: '2026-06-01', hours: 1 / 60, power: null }]);
  });

  test('energy fed back while running lowers the mean power of its day, which begins at midnight in Amsterdam', () => {
    // Midnight is 14 h after START.
    const readings = stored(
      part(14 * HOUR - HOUR / 2, 14 * HOUR, { ...running, ...power(10) }),
      part(14 * HOUR, 14 * HOUR + HOUR / 4, { ...running, ...power(8) }),
      each(10 * SECOND, 14 * HOUR + HOUR / 4, 14 * HOUR + HOUR / 2, { ...running, ...power(-4) }),
    );
    expect(powerOfDays(readings)).toEqual([
      { day: '2026-06-01', hours: 0.5, power: 10 },
      { day: '2026-06-02', hours: 0.5, power: 2 },
    ]);
    expect(computeWorkPower(readings)).toBe(6);
  });
});

describe('distance and route', () => {
  const at = (ms: number, LATITUDE: number, more: Signals = {}) =>
    once(ms, { LATITUDE, LONGITUDE: 5, ...more });

  test('D1: latitudes 52.0 and 52.001 are 111.195 m apart, though a reading without a position lies in between', () => {
    const readings = stored(at(0, 52), once(5 * SECOND, { MotorSpeed: 1 }), at(10 * SECOND, 52.001));
    expect(distanceMetres(readings)).toBe(111.195);
    expect(computeBuckets(readings).get(START)?.distanceMm).toBe(111_195);
  });

  test('D4: positions 5:00.000 apart have a distance, and positions 5:00.001 apart have none', () => {
    expect(distanceMetres(stored(at(0, 52), at(300_000, 52.001)))).toBe(111.195);
    expect(distanceMetres(stored(at(0, 52), at(300_001, 52.001)))).toBe(0);
  });

  test('D10: the gap between two segments of a route adds no distance', () => {
    const segment = (from: number, lat: number) =>
      Array.from({ length: 11 }, (_, n) =>
        at(from + n * 10 * SECOND, lat + n * 0.00009, n === 0 && from > 0 ? { NEW_SEGMENT: 1 } : {}),
      );
    const readings = stored(...segment(0, 52.1), ...segment(180 * SECOND, 52.12));
    expect(distanceMetres(readings)).toBeCloseTo(200.1, 0);
    expect(computeBuckets(readings).get(START)?.distanceMm).toBe(distanceMetres(readings) * 1000);
  });

  test('D11: three positions that are further and further away add distance, and two do not', () => {
    const away = (...metres: number[]) =>
      distanceMetres(stored(...[0, ...metres].map((one, n) => at(n * 10 * SECOND, 52 + one / 111_195))));
    expect(away(10, 20, 30)).toBeCloseTo(30, 1);
    expect([away(10, 20), away(7, 14, 21), away(10, 14, 24)]).toEqual([0, 0, 0]);
  });

  test('a distance counts in the range that contains its later position, if the caller owned the machine at both positions', () => {
    const readings = stored(at(0, 52), at(10 * SECOND, 52.001));
    const until = START + 10 * SECOND;
    expect(distanceMm(readings, { from: START, to: until })).toBe(0);
    expect(distanceMm(readings, { from: until, to: until + 1 })).toBe(111_195);
    expect(distanceMm(readings, UNLIMITED_RANGE, [{ from: START, to: until }])).toBe(0);
    expect(distanceMm(readings, UNLIMITED_RANGE, [{ from: START, to: until + 1 }])).toBe(111_195);
  });

  test('a point of a route has the speed and charge levels of its own reading only', () => {
    const readings = stored(
      at(0, 52, { Soc1: 80, Soc2: 60, Speed: 12 }),
      at(SECOND, 52.0001, { Soc1: 80 }),
      once(2 * SECOND, { Soc2: 60, Speed: 11 }),
      at(FIVE_MINUTES_IN_MS, 52.0002, { Soc1: 70 }),
    );
    expect(pathPoints(readings).map(({ speed, soc, mean }) => [speed, [...soc], mean])).toEqual([
      [
        12,
        [
          [1, 80],
          [2, 60],
        ],
        70,
      ],
      [undefined, [[1, 80]], undefined],
      [undefined, [[1, 70]], 70],
    ]);
  });
});

describe('state of charge', () => {
  test('packNumberOf returns the pack that a signal name means, and rankPackNames sorts several names of a pack by preference', () => {
    expect(
      ['Soc1', 'SOC', 'socDisp', 'Soc_3_of_4', 'Soc8', 'Soc9', 'Soc0', 'soc12', 'Speed'].map(packNumberOf),
    ).toEqual([1, 1, 1, 3, 8, undefined, undefined, undefined, undefined]);
    expect(rankPackNames(['SocDisp', 'soc1', 'SOC', 'Soc1', 'Soc01'])).toEqual([
      'Soc1',
      'soc1',
      'SOC',
      'Soc01',
      'SocDisp',
    ]);
  });

  test('S1: if SocDisp 36 and Soc1 80 are in one reading, Soc1 counts', () => {
    expect(socByPack({ SocDisp: 36, Soc1: 80 })).toEqual(new Map([[1, 80]]));
  });

  test('S2: when Soc1 and SocDisp alternate only Soc1 counts; SocDisp counts after 5 min without Soc1', () => {
    const readings = stored(
      each(2 * SECOND, 0, MINUTE, { Soc1: 80 }),
      each(2 * SECOND, SECOND, 10 * MINUTE, { SocDisp: 36 }),
    );
    const points = socPoints(readings);
    expect(points.filter(({ time }) => time <= START + MINUTE).map(({ value }) => value)).toEqual(
      Array.from({ length: 31 }, () => 80),
    );
    // The last Soc1 is at 1:00, so the first SocDisp that counts is at 6:01.
    expect(points[31]).toEqual({ pack: 1, time: START + 361 * SECOND, value: 36 });
  });

  test('S3: the mean level of Soc1 80 now and Soc2 60 one minute ago is 70', () => {
    const readings = stored(each(SECOND, 0, 2 * MINUTE, { Soc1: 80 }), once(MINUTE, { Soc2: 60 }));
    expect(meanSocAt(readings, START + 2 * MINUTE, [1, 2])).toEqual({ mean: 70, isOfAll: true });
  });

  test('S3b: a level that is older than 5:00.000 is left out of the mean', () => {
    const readings = stored(each(SECOND, 0, 10 * MINUTE, { Soc1: 80 }), once(0, { Soc2: 60 }));
    expect(meanSocAt(readings, START + 300_000, [1, 2])).toEqual({ mean: 70, isOfAll: true });
    expect(meanSocAt(readings, START + 300_001, [1, 2])).toEqual({ mean: 80, isOfAll: false });
  });

  test('S4: the mean of the levels 10, 20 … 80 of 8 packs is 45, because Soc9 is no pack', () => {
    const packs = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`Soc${n}`, 10 * n]));
    expect(meanSocAt(once(0, { ...packs, Soc9: 99 }), START).mean).toBe(45);
  });

  test('S6: one level of 15 among 10,000 values is the lowest value of its bucket', () => {
    const readings = each(30, 0, 9_999 * 30, (at) => ({ Soc1: at === 150_000 ? 15 : 80 }));
    expect(readings).toHaveLength(10_000);
    const sums = { min: 15, max: 80, sumMilli: 9_999 * 80_000 + 15_000, count: 10_000 };
    expect(computeBuckets(readings).get(START)?.packs[0]).toEqual(sums);
    expect(sumValuesByBucket(socPoints(readings)).get(START)).toEqual(sums);
    expect(socSummary(readings)).toEqual([{ pack: 1, begin: 80, end: 80, lowest: 15, highest: 80 }]);
  });

  test('the sum of levels adds values that are each rounded to thousandths', () => {
    expect(bucketSumsOf([1.0005, -0.5, 2.0004])).toEqual({
      min: -0.5,
      max: 2.0004,
      sumMilli: 2501,
      count: 3,
    });
  });
});

describe('status of a range', () => {
  test('B1: the timeline of an hour has running, off, no data, charging and no data, one after the other', () => {
    // MotorSpeed and the charger's signals are sent each 10 s.
    const readings = stored(
      each(10 * SECOND, 0, 10 * MINUTE, { MotorSpeed: 1500 }),
      each(10 * SECOND, 610 * SECOND, 1210 * SECOND, { MotorSpeed: 0 }),
      each(10 * SECOND, 40 * MINUTE, 50 * MINUTE, CHARGING),
    );
    const range = { from: START, to: START + HOUR };
    expect(
      statusTimeline(readings, range).map(({ status, from, to }) => [status, (to - from) / SECOND]),
    ).toEqual([
      ['running', 610],
      ['off', 600],
      ['no data', 1190],
      ['charging', 600],
      ['no data', 600],
    ]);
    expect(statusSums(readings, range)).toEqual({
      runningMs: 610_000,
      offMs: 600_000,
      noDataMs: 1_790_000,
      chargingMs: 600_000,
      heardMs: 1_810_000,
      cableMs: 0,
    });
  });

  test('B2: a motor that switches on and off each 10 s for a day runs 12 h, also in a drawing with 288 slots', () => {
    const readings = each(10 * SECOND, 0, 24 * HOUR, (at) => ({ MotorSpeed: at % 20_000 === 0 ? 1500 : 0 }));
    const { running } = activityBands(readings);
    expect(running).toHaveLength(4320);
    expect(runningHours(readings).runningMs).toBe(12 * HOUR);
    const cells = Array.from({ length: 288 }, (_, n) => ({
      from: START + n * FIVE_MINUTES_IN_MS,
      to: START + (n + 1) * FIVE_MINUTES_IN_MS,
    }));
    const coarse = coarseActivityBands(running, cells);
    expect(coarse).toHaveLength(288);
    expect(coarse.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(12 * HOUR);
  });

  test('B2: a motor that runs 30 s of every 5 min for 7 days, with a reading each 3 s, runs 16:48 h', () => {
    const readings = each(3 * SECOND, 0, 7 * 24 * HOUR, (at) => ({
      MotorSpeed: at % FIVE_MINUTES_IN_MS < 30 * SECOND ? 1500 : 0,
    }));
    expect(runningHours(readings).runningMs).toBe(16 * HOUR + 48 * MINUTE);
  });

  test('time that is both running and on the cable counts once as time with data', () => {
    const readings = each(10 * SECOND, 0, 10 * MINUTE, { MotorSpeed: 1500, ...CHARGING });
    const range = { from: START, to: START + 20 * MINUTE };
    expect(statusSums(readings, range, undefined, START + 15 * MINUTE)).toEqual({
      runningMs: 600_000,
      chargingMs: 600_000,
      cableMs: 600_000,
      heardMs: 600_000,
      offMs: 0,
      noDataMs: 300_000,
    });
    expect(
      statusTimeline(readings, range, undefined, START + 15 * MINUTE).map(({ status }) => status),
    ).toEqual(['charging', 'no data']);
  });

  test('a status code holds until the next value; the last code before a silence has no duration', () => {
    const readings = stored(
      each(MINUTE, 0, 2 * MINUTE, { Machinestatus: 3 }),
      each(MINUTE, 3 * MINUTE, 4 * MINUTE, { Machinestatus: 4 }),
      once(30 * MINUTE, { Machinestatus: 5 }),
    );
    const drawn = computeCodeIntervals(readings, 'Machinestatus').map(({ value, from, to }) => [
      value,
      (from - START) / MINUTE,
      (to - START) / MINUTE,
    ]);
    expect(drawn).toEqual([
      [3, 0, 3],
      [4, 3, 4],
      [5, 30, 30],
    ]);
  });
});

describe('live state', () => {
  const arrival = (received: number, ahead: number, signals: Signals) => ({
    reading: { time: START + received + ahead, signals },
    received: START + received,
  });

  test('L1: a reading with the right time replaces at once an earlier one whose clock was 9:50 ahead', () => {
    const state = liveStateOf([arrival(0, 590 * SECOND, { Soc1: 20 }), arrival(SECOND, 0, { Soc1: 80 })]);
    expect(state).toMatchObject({
      newest: START + SECOND,
      GMT_UNIX: START / 1000 + 1,
      signals: { Soc1: 80 },
    });
  });

  test('L2: a reading whose clock was 8 min ahead becomes stale 10:00.001 after its reception', () => {
    const state = liveStateOf([arrival(0, 8 * MINUTE, { Soc1: 20 })]);
    expect(state?.newest).toBe(START);
    expect([600_000, 600_001].map((ms) => isStale({ newest: START }, START + ms))).toEqual([false, true]);
  });

  test('signals more than 5 min older than the newest reading disappear from live data, the position stays', () => {
    const state = liveStateOf([
      arrival(0, 0, { Soc1: 20, LATITUDE: 52, LONGITUDE: 5 }),
      arrival(1, 0, { Soc2: 30 }),
      // A reading that is received 300.001 s after its own time has values that are too old; the order within a batch does not matter.
      arrival(300_001, -300_001, { Soc1: 10, Speed: 5 }),
      arrival(300_001, 0, { MotorSpeed: 0 }),
    ]);
    expect(state).toMatchObject({
      signals: { Soc2: 30, MotorSpeed: 0 },
      position: { lat: 52, lon: 5, s: START },
    });
    expect(Object.keys(state?.signals ?? {})).toEqual(['Soc2', 'MotorSpeed']);
  });

  test('readings of one instant merge in live data; of two instants in one second the later received reading counts', () => {
    const first = { Soc1: 1, IsCharging: 0 };
    const second = { Soc1: 2, IsCharging: 1 };
    expect(liveStateOf([arrival(0, 0, first), arrival(0, 0, second)])?.signals).toEqual({
      Soc1: 1,
      IsCharging: 1,
    });
    expect(liveStateOf([arrival(0, 5, first), arrival(0, 0, second)])?.signals).toEqual(second);
    expect(liveStateOf([arrival(0, 0, second), arrival(0, 5, first)])?.signals).toEqual(first);
  });

  test('L6: at 50 % of 100 kWh 40 kWh remain: 4 h of work at 10 kW, or 2 h until full at 20 kW', () => {
    const packs = [{ pack: 1, capacity: 100 }];
    const state: Pick<OracleLiveState, 'signals'> = {
      signals: { Soc1: 50, ChargingCurrent: 50, ChargingVoltage: 400 },
    };
    expect(remainingEnergy(state, packs)).toBe(40);
    expect(remainingWorkTime(40, 10)).toBe(4);
    expect(remainingChargeTime(state, packs)).toBe(2);
  });

  test('remaining energy, remaining work time and time until full are null when a value that they need is unknown', () => {
    const state = { signals: { Soc1: 50, ChargingCurrent: 1 } };
    expect(remainingEnergy(state, [{ pack: 1, capacity: undefined }])).toBeNull();
    expect(
      remainingEnergy(state, [
        { pack: 1, capacity: 100 },
        { pack: 2, capacity: 100 },
      ]),
    ).toBeNull();
    expect([remainingWorkTime(null, 10), remainingWorkTime(40, null), remainingWorkTime(40, 0)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(remainingChargeTime(state, [{ pack: 1, capacity: 100 }])).toBeNull();
  });
});

describe('charging events', () => {
  const OFF = { IsCharging: 0, ChargingCurrent: 0 };
  /** Returns readings each 10 s: off for 10 min, then charging for 50 min. */
  const charge = (packs: Signals): Reading[] =>
    stored(
      each(10 * SECOND, 0, 590 * SECOND, { ...OFF, ...packs }),
      each(10 * SECOND, 10 * MINUTE, HOUR, { ...CHARGING, ...packs }),
    );
  const kinds = (readings: readonly Reading[], listed: readonly number[]) =>
    chargingEvents(readings, listed).map(({ kind }) => kind);

  test('C1: a charge is not completed while one of five packs is at 70 %', () => {
    const packs = { Soc1: 99, Soc2: 99, Soc3: 99, Soc4: 99, Soc5: 70 };
    expect(kinds(charge(packs), [1, 2, 3, 4, 5])).toEqual(['started']);
  });

  test('C2: a charge of one pack at 99 % is started and completed', () => {
    const at = START + 10 * MINUTE;
    const countedAt = at + 2 * MINUTE;
    expect(chargingEvents(charge({ Soc1: 99 }), [1])).toEqual([
      { kind: 'started', time: at, after: undefined, countedAt },
      { kind: 'completed', time: at, after: undefined, countedAt },
    ]);
  });

  test('C3: a charge is not completed while one of the two packs of the machine sends no level', () => {
    expect(kinds(charge({ Soc1: 99 }), [1, 2])).toEqual(['started']);
  });

  test('C4: a charge that began in a gap started between the last reading before and the first after the gap', () => {
    const readings = stored(
      each(10 * SECOND, 0, 10 * MINUTE, OFF),
      each(10 * SECOND, HOUR, 2 * HOUR, { ...CHARGING, Soc1: 50 }),
    );
    expect(chargingEvents(readings, [1])).toEqual([
      {
        kind: 'started',
        time: START + HOUR,
        after: START + 10 * MINUTE,
        countedAt: START + HOUR + 2 * MINUTE,
      },
    ]);
  });

  test('charging starts or stops once the change lasted 2 min; the state at the first reading is no event', () => {
    const readings = (on: number) =>
      stored(
        each(10 * SECOND, 0, HOUR, { Soc1: 50 }),
        each(10 * SECOND, 0, HOUR, (at) =>
          at >= 10 * MINUTE && at < 10 * MINUTE + on ? { ...CHARGING } : { ...OFF },
        ),
      );
    expect(kinds(readings(2 * MINUTE), [1])).toEqual([]);
    expect(kinds(readings(2 * MINUTE + 10 * SECOND), [1])).toEqual(['started', 'stopped']);
    expect(kinds(each(10 * SECOND, 0, HOUR, { ...CHARGING, Soc1: 99 }), [1])).toEqual([]);
  });

  test('a completed charge is completed again only after the mean level fell below 94 %', () => {
    const charging = (soc: (at: number) => number) =>
      stored(
        each(10 * SECOND, -HOUR, -10 * SECOND, { ...OFF, Soc1: 50 }),
        each(10 * SECOND, 0, HOUR, (at) => ({ ...CHARGING, Soc1: soc(at) })),
        each(10 * SECOND, HOUR + 10 * SECOND, 2 * HOUR, (at) => ({ ...OFF, Soc1: soc(at) })),
      );
    const dip = (lowest: number) => charging((at) => (at > 20 * MINUTE && at < 30 * MINUTE ? lowest : 99));
    expect(kinds(dip(94), [1])).toEqual(['started', 'completed']);
    expect(kinds(dip(93.9), [1])).toEqual(['started', 'completed', 'completed']);
    expect(
      kinds(
        charging((at) => (at > 20 * MINUTE ? 93 : 99)),
        [1],
      ),
    ).toEqual(['started', 'completed', 'stopped']);
    // The battery was full for less than 2 min when charging ended.
    expect(
      kinds(
        charging((at) => (at >= HOUR - 10 * SECOND ? 99 : 98)),
        [1],
      ),
    ).toEqual(['started', 'completed']);
    expect(
      kinds(
        charging(() => 98),
        [1],
      ),
    ).toEqual(['started', 'stopped']);
  });
});

/** Returns start and end of a range, in min after START. */
const minutesOf = ({ from, to }: Range): number[] => [from, to].map((time) => (time - START) / MINUTE);
/** Returns a range whose start and end are in min after START. */
const minutes = (from: number, to: number): Range => ({
  from: START + from * MINUTE,
  to: START + to * MINUTE,
});

describe('areas', () => {
  const circle: Area = { kind: 'circle', centre: { lat: 52, lon: 5 }, radius: 100 };
  const polygon = (...corners: [lat: number, lon: number][]): Area => ({
    kind: 'polygon',
    corners: corners.map(([lat, lon]) => ({ lat: 52 + lat / 1000, lon: 5 + lon / 1000 })),
  });
  const rectangle = polygon([0, 0], [0, 2], [1, 2], [1, 0]);
  const hook = polygon([0, 0], [0, 2], [0.5, 2], [0.5, 1], [1, 1], [1, 0]);

  test.each<[string, Area, lat: number, lon: number, metres: number]>([
    ['K1: the distance from the edge at the middle of a circle', circle, 0, 0, -100],
    ['K1: the distance from the edge 0.001 degree north of the middle of a circle', circle, 1, 0, 11.195],
    ['K2: the distance from the edge at the middle of a rectangle', rectangle, 0.5, 1, -55.597],
    ['K2: the distance from the edge north of a rectangle', rectangle, 1.2, 1, 22.239],
    ['K2: the distance from the edge beyond a corner of a rectangle', rectangle, 1.2, 2.2, 26.116],
    ['K3: the distance from the edge in the arm of a hook', hook, 0.75, 0.9, -6.846],
    ['K3: the distance from the edge in the notch of a hook', hook, 0.75, 1.5, 27.799],
  ])('%s', (_, area, lat, lon, metres) => {
    expect(metresOutside(area, { lat: 52 + lat / 1000, lon: 5 + lon / 1000 })).toBeCloseTo(metres, 2);
  });

  test('K4: the size is 31,416 m2 for a circle of 100 m, 15,224 m2 for a rectangle, and three quarters of that without one quarter', () => {
    expect([circle, rectangle, hook].map((area) => Math.round(areaSizeSquareMetres(area)))).toEqual([
      31416, 15224, 11418,
    ]);
    const around = polygon([1, 0], [1, 2], [0, 2], [0, 0]);
    // The oracle projects at a polygon's first corner, which here lies further north than that of `rectangle`.
    expect(areaSizeSquareMetres(around) / areaSizeSquareMetres(rectangle)).toBeCloseTo(0.99998, 5);
  });
});

describe('presence', () => {
  /** The period of two projects with circles around 52° N, 5° E: that of project 2 (40 m) lies inside that of project 1 (100 m). */
  const during = { from: START - 24 * HOUR, to: START + 72 * HOUR };
  const projects = (ofFirst: Range = during): Project[] =>
    [100, 40].map((radius, n) => ({
      id: n + 1,
      areas: [{ kind: 'circle', centre: { lat: 52, lon: 5 }, radius }],
      during: n === 0 ? ofFirst : during,
    }));
  /** Returns a position, in metres north of the middle of the circles. */
  const at = (metres: number): Signals => ({ LATITUDE: 52 + metres / 111_194.927, LONGITUDE: 5 });
  /** Returns positions each 30 s from one minute to another, both included. */
  const stay = (from: number, to: number, metres: number) =>
    each(30 * SECOND, from * MINUTE, to * MINUTE, at(metres));
  /** Returns project, start and end (min) and source of each presence. */
  const found = (
    readings: Reading[],
    assignments?: readonly Assignment[],
    ownRanges?: readonly Range[],
    all = projects(),
  ) =>
    computePresences(readings, all, assignments, ownRanges).map(({ project, by, ...range }) => [
      project,
      ...minutesOf(range),
      by,
    ]);
  const END = 72 * 60;

  test.each<[string, Reading[], unknown[]]>([
    [
      'P5: a machine that is inside for 2:00 is on the project from its first position on',
      stay(0, 2, 80),
      [[1, 0, END, 'position']],
    ],
    ['P5: a machine that is inside for 1:30 is on no project', stay(0, 1.5, 80), []],
    [
      'P5: a position 1 m outside restarts the 2 minutes before an arrival',
      stored(stay(0, 1.5, 80), stay(2, 2, 101), stay(2.5, 4.5, 80)),
      [[1, 2.5, END, 'position']],
    ],
    [
      'P6: a machine 24 m outside for an hour is still on the project',
      stored(stay(0, 2, 80), stay(3, 63, 124)),
      [[1, 0, END, 'position']],
    ],
    [
      'P6: a machine 26 m outside for 1:30, then 24 m, then 26 m for 1:30 is still on the project',
      stored(stay(0, 2, 80), stay(3, 4.5, 126), stay(5, 60, 124), stay(60.5, 62, 126)),
      [[1, 0, END, 'position']],
    ],
    [
      'P6: a machine 26 m outside for 2:00 left at the first of these positions',
      stored(stay(0, 2, 80), stay(3, 5, 126)),
      [[1, 0, 3, 'position']],
    ],
    [
      'P7: a machine in two areas is on the project with the smaller area from its first position in it',
      stored(stay(0, 2, 80), stay(10, 12, 30)),
      [
        [1, 0, 10, 'position'],
        [2, 10, END, 'position'],
      ],
    ],
    [
      'P7: a machine that is twice in the smaller area for 1:30 stays in the larger one',
      stored(stay(0, 2, 80), stay(10, 11.5, 30), stay(12, 12, 80), stay(12.5, 14, 30)),
      [[1, 0, END, 'position']],
    ],
    [
      'P8: a machine that leaves at 10:00 and enters another project at 11:00 is on none in between',
      stored(stay(0, 2, 80), stay(10, 10.5, 300), stay(11, 13, 30)),
      [
        [1, 0, 10, 'position'],
        [2, 11, END, 'position'],
      ],
    ],
    [
      'P9: a machine that is inside before and after a silence of a day stayed on the project',
      stored(stay(0, 2, 80), stay(1440, 1441, 80)),
      [[1, 0, END, 'position']],
    ],
    [
      'P9: a machine that is elsewhere after a silence of a day left at its first position there',
      stored(stay(0, 2, 80), stay(1440, 1442, 300)),
      [[1, 0, 1440, 'position']],
    ],
    [
      'P9: two positions inside an area, 10 min apart, make a presence',
      stored(stay(0, 0, 80), stay(10, 10, 80)),
      [[1, 0, END, 'position']],
    ],
  ])('%s', (_, readings, expected) => {
    expect(found(readings)).toEqual(expected);
  });

  test('P10: a manual assignment to another project from 5:00 to 8:00 replaces the presence by positions', () => {
    const byHand = (from: number, to: number): Assignment[] => [
      { project: 2, from: START + from * MINUTE, to: START + to * MINUTE },
    ];
    expect(found(stay(0, 10, 80), byHand(5, 8))).toEqual([
      [1, 0, 5, 'position'],
      [2, 5, 8, 'hand'],
      [1, 8, END, 'position'],
    ]);
    expect(found(stay(0, 10, 80), byHand(5, END + 100)).at(-1)).toEqual([2, 5, END, 'hand']);
  });

  test('P11: a presence lies inside the period of the project and inside the times at which the caller owned the machine', () => {
    const part = { from: START + 5 * MINUTE + 10 * SECOND, to: START + HOUR };
    const first = 5.5;
    expect(found(stay(0, 90, 80), [], undefined, projects(part))).toEqual([[1, first, 60, 'position']]);
    const mine = [
      { from: START, to: START + 10 * MINUTE },
      { from: START + 20 * MINUTE + 10 * SECOND, to: START + HOUR },
    ];
    // After the machine came back to its owner it is on no project until its first position.
    expect(found(stay(0, 90, 80), [], mine)).toEqual([
      [1, 0, 10, 'position'],
      [1, 20.5, 60, 'position'],
    ]);
  });

  test('P12: 10 min of readings without a position count as unseen time of the presence', () => {
    const readings = stored(stay(0, 9.5, 80), each(10 * SECOND, 0, 20 * MINUTE, { MotorSpeed: 0 }));
    expect(computePresences(readings, projects()).map(({ unseenMs }) => unseenMs)).toEqual([600_000]);
  });

  test('P13: a machine in two areas of the same size is on the project with the lower id', () => {
    // The area with the smaller radius is only pi x 0.0005 x 200 m2 smaller: in whole m2 both have the same size.
    for (const radius of [100, 99.9995]) {
      const twins = [3, 1].map((id): Project => {
        const centre = { lat: 52, lon: 5 };
        return { id, areas: [{ kind: 'circle', centre, radius: id === 3 ? radius : 100 }], during };
      });
      expect(found(stay(0, 2, 80), [], undefined, twins)).toEqual([[1, 0, END, 'position']]);
    }
  });
});

describe('day figures', () => {
  /** B1: running up to 10:10, off up to 20:10, charging from 40:00 to 50:00. */
  const readings = stored(
    each(10 * SECOND, 0, 10 * MINUTE, { MotorSpeed: 1500, Soc1: 50 }),
    each(10 * SECOND, 610 * SECOND, 1210 * SECOND, { MotorSpeed: 0, Soc2: 40 }),
    each(10 * SECOND, 40 * MINUTE, 50 * MINUTE, CHARGING),
  );
  const figuresOf = (ranges: readonly Range[], ownRanges?: readonly Range[]): Partial<DayFigures> =>
    dayFigures(readings, [ranges], ownRanges)[0] ?? {};

  test('G1: a day with 610 s of running and 600 s of charging within 50 min has 0 s idle and a coverage of 1810 / 3000', () => {
    expect(figuresOf([dayAround(START)])).toMatchObject({
      runningMs: 610_000,
      chargingMs: 600_000,
      activity: minutes(0, 50),
      windowMs: 3_000_000,
      heardInWindowMs: 1_810_000,
      idleMs: 0,
      coverage: 1810 / 3000,
      soc: { lowest: 40, highest: 50 },
    });
    const again = each(10 * SECOND, HOUR, 70 * MINUTE, { MotorSpeed: 1500 });
    expect(dayFigures(stored(readings, again), [[dayAround(START)]])[0]).toMatchObject({
      runningMs: 1_210_000,
      activity: minutes(0, 70),
      idleMs: 600_000,
    });
  });

  test('G2: a day with 50 min of activity, of which only the first and last 5 min are on a project, has a counted time of 10 min and a coverage of 1', () => {
    const expected = {
      runningMs: 300_000,
      chargingMs: 300_000,
      activity: minutes(0, 50),
      windowMs: 600_000,
      idleMs: 0,
      coverage: 1,
      soc: { lowest: 50, highest: 50 },
    };
    expect(figuresOf([minutes(0, 5), minutes(45, 60)])).toMatchObject(expected);
    // The caller owned the machine only in these times; the last value before 5:00 has no interval.
    expect(figuresOf([dayAround(START)], [minutes(0, 5), minutes(45, 60)])).toMatchObject({
      ...expected,
      runningMs: 290_000,
      heardInWindowMs: 590_000,
      coverage: 590 / 600,
    });
  });

  test('G3: a day without activity has a coverage of null', () => {
    expect(figuresOf([minutes(12, 30)])).toMatchObject({
      activity: undefined,
      windowMs: 0,
      idleMs: 0,
      coverage: null,
      energies: { heardMs: 490_000 },
    });
  });

  test('G4: a day with 1:00.000 of running is a day of use of at least 1 minute, one with 59.999 s is not', () => {
    const [whole, short] = dayFigures(readings, [[minutes(0, 1)], [{ from: START + 1, to: START + MINUTE }]]);
    expect([whole, short].map((day) => daysOfUse(day === undefined ? [] : [day], 1))).toEqual([1, 0]);
  });

  test('G5: a day is provisional until the newest reading is 10 min after its end, or 7 days have passed', () => {
    const day = dayAround(START);
    const now = day.to + HOUR;
    const newestAt = (time: number) => isProvisional([{ time, signals: {} }], day, now);
    expect([599_999, 600_000].map((ms) => newestAt(day.to + ms))).toEqual([true, false]);
    const days = [7 * 24 * HOUR - 1, 7 * 24 * HOUR].map((ms) => isProvisional([], day, day.to + ms));
    expect(days).toEqual([true, false]);
  });

  test.each([
    ['2026-03-29', 23],
    ['2026-06-01', 24],
    ['2026-10-25', 25],
  ])('G6: the day %s has %d hours in Amsterdam', (date, hoursOfDay) => {
    const day = dayAround(Date.parse(`${date}T10:00:00Z`));
    expect([day.day, (day.to - day.from) / HOUR]).toEqual([date, hoursOfDay]);
    const around = daysOverlapping({ from: day.from - 1, to: day.to + 1 });
    expect(around.map(({ from, to }) => (to - from) / HOUR)).toEqual([24, hoursOfDay, 24]);
  });
});

describe('charging sessions', () => {
  /** Returns readings of a charger at 400 V each 10 s from one minute to another, both included. */
  const charge = (from: number, to: number, ChargingCurrent: number, more: Signals = {}): Reading[] =>
    each(10 * SECOND, from * MINUTE, to * MINUTE, {
      IsCharging: 1,
      ChargingCurrent,
      ChargingVoltage: 400,
      ...more,
    });
  const off = { IsCharging: 0, ChargingCurrent: 0 };
  /** Returns start and end (min) and kWh of each session. */
  const found = (...lists: Reading[][]) =>
    chargingSessions(stored(...lists)).map((session) => [
      ...minutesOf(session),
      Number((session.chargedMj / 3.6e9).toFixed(4)),
    ]);
  const only = (...lists: Reading[][]): Partial<Session> => chargingSessions(stored(...lists))[0] ?? {};

  test('J1: a session of 6 min with 50 A x 400 V charged 2 kWh at 20 kW', () => {
    expect(only(charge(0, 6, 50))).toMatchObject({
      chargingMs: 360_000,
      pausesMs: 0,
      chargedMj: 7.2e9,
      meanPower: 20,
      highestWatts: 20_000,
      ended: undefined,
    });
  });

  test.each([
    ['9:59.999', 599_999, [[0, 12 + 599_999 / MINUTE, 4]]],
    [
      '10:00.000',
      600_000,
      [
        [0, 6, 2],
        [16, 22, 2],
      ],
    ],
  ])('J2: a pause shorter than 10 min does not split a charging session: %s', (_, pause, expected) => {
    const first = charge(0, 6, 50).with(-1, { time: START + 6 * MINUTE, signals: off });
    const second = charge(0, 6, 50).map(({ time, signals }) => ({
      time: time + 6 * MINUTE + pause,
      signals,
    }));
    expect(found(first, second)).toEqual(expected);
  });

  test.each<[string, Reading[], unknown[]]>([
    ['4:59.999 at 2 kW is no session', stored(charge(0, 4.5, 5), once(299_999, off)), []],
    ['5:00.000 at 2 kW is a session of 0.1667 kWh', charge(0, 5, 5), [[0, 5, 0.1667]]],
    ['1:00 at 12 kW is a session of 0.2 kWh', charge(0, 1, 30), [[0, 1, 0.2]]],
    ['1:00 at 11.96 kW is no session', charge(0, 1, 29.9), []],
    [
      '3:00 twice, 9 min apart, at 1.2 kW is a session of 0.12 kWh',
      stored(charge(0, 3, 3), charge(3, 12, 0), charge(12, 15, 3)),
      [[0, 15, 0.12]],
    ],
  ])('J3: a session counts if it lasted 5 min or charged enough: %s', (_, readings, expected) => {
    expect(found(readings)).toEqual(expected);
  });

  test('J4: a session lasts from the first to the last value of the charger, though the battery current flows before and after', () => {
    const battery = each(10 * SECOND, -10 * MINUTE, 16 * MINUTE, {
      BatteryCurrent: -50,
      BatteryVoltage: 400,
    });
    const session = only(battery, charge(0, 6, 40));
    expect(session).toMatchObject({ ...minutes(0, 6), chargingMs: 360_000, chargedMj: 7.2e9 });
    expect(session).toMatchObject({ meanPower: 20, highestWatts: 20_000, ended: 'unplugged' });
    // The battery's values count as charging up to 11:00, 5 min after the charger's last value.
    expect(computeDisplayedEnergies(stored(battery, charge(0, 6, 40))).charged).toEqual(around(3.7222));
    // A single charger value before the session has no interval, so the battery's values around it do not belong to the session.
    const more = only(battery, charge(-6, -6, 40), charge(0, 6, 40));
    expect(more).toMatchObject({ ...minutes(0, 6), chargedMj: 7.2e9 });
    const pause = only(battery, charge(0, 6, 40), charge(12, 15, 40));
    expect(pause).toMatchObject({ chargingMs: 540_000, pausesMs: 360_000 });
    expect((pause.chargedMj ?? 0) / 3.6e9).toEqual(around(4.7222));
    expect(pause.meanPower).toEqual(around(31.4815));
  });

  test.each<[string, Session['ended'], Reading[], at: number]>([
    ['the level is 99 % at its end', 'full', each(10 * SECOND, 0, 6 * MINUTE, { Soc1: 99 }), 16],
    ['one of two packs has 97 %', 'unplugged', each(10 * SECOND, 0, 6 * MINUTE, { Soc1: 100, Soc2: 97 }), 16],
    ['the flag falls at its end', 'unplugged', once(6 * MINUTE, off), 16],
    ['the flag falls within 2:00', 'unplugged', once(6 * MINUTE, { ChargingCurrent: 1 }), 16],
    ['the newest reading is 9:59.999 after it', undefined, once(6 * MINUTE, off), 16 - 1 / MINUTE],
  ])('J5: the reason why a session ended when %s: %s', (_, ended, more, newest) => {
    const readings = stored(
      once(6 * MINUTE, { ChargingCurrent: 1 }),
      more,
      charge(0, 5.9, 50),
      once(8 * MINUTE, { IsCharging: 0 }),
      once(newest * MINUTE, { Own: 1 }),
    );
    expect(only(readings)).toMatchObject({ ...minutes(0, 6), ended });
  });

  test('J5: a session is stopped, not unplugged, when the charging flag falls 2:00.001 after its end', () => {
    const flagFalls = once(8 * MINUTE + 1, { IsCharging: 0 });
    const stops = once(6 * MINUTE, { ChargingCurrent: 1 });
    expect(only(charge(0, 5.9, 50), stops, flagFalls, once(HOUR, { Own: 1 })).ended).toBe('stopped');
  });

  test.each<[string, Session['ended'], number]>([
    ['at 11:00.000', 'unplugged', 11 * MINUTE],
    ['at 11:00.001', 'no data', 11 * MINUTE + 1],
  ])(
    'J5: the reason why a session ended at the charger’s last value, with the next other reading %s: %s',
    (_, ended, next) => {
      const others = stored(once(next, { Own: 1 }), once(HOUR, { Own: 1 }));
      expect(only(charge(0, 6, 50), others).ended).toBe(ended);
      const stops = once(6 * MINUTE, { ChargingCurrent: 1 });
      expect(only(charge(0, 5.9, 50), stops, others).ended).toBe(ended === 'no data' ? ended : 'stopped');
    },
  );

  test('J6: a pack’s level at the start of a session is at most 5:00 from the start, and that at its end is the last one in it', () => {
    const session = only(
      once(-5 * MINUTE, { Soc1: 20 }),
      once(5 * MINUTE, { Soc1: 25, Soc2: 30 }),
      once(5 * MINUTE + 1, { Soc3: 40 }),
      charge(0, 10, 50),
    );
    expect([...(session.begin ?? [])]).toEqual([
      [1, 20],
      [2, 30],
    ]);
    expect([...(session.end ?? [])]).toEqual([
      [1, 25],
      [2, 30],
      [3, 40],
    ]);
  });

  test('J7: in a session of 20 min, the 10 min with a level of 99 % count as full', () => {
    const session = only(charge(0, 9.9, 50, { Soc1: 98.9 }), charge(10, 20, 2, { Soc1: 99 }));
    expect(session.fullMs).toBe(600_000);
    const buckets = computeBuckets(
      stored(charge(0, 9.9, 50, { Soc1: 98.9 }), charge(10, 20, 2, { Soc1: 99 })),
    );
    expect([...buckets.values()].map(({ fullMs, chargeWatts }) => [fullMs, chargeWatts])).toEqual([
      [0, 20_000],
      [0, 20_000],
      [300_000, 800],
      [300_000, 800],
      [0, undefined],
    ]);
  });

  test('J8: a session’s place is a position of at most 10:00.000 before it, else the first position in it', () => {
    const inside = once(3 * MINUTE, { LATITUDE: 53, LONGITUDE: 6 });
    const placed = (ms: number) => once(-ms, { LATITUDE: 52, LONGITUDE: 5 });
    expect(only(placed(600_000), inside, charge(0, 6, 50)).place).toEqual({ lat: 52, lon: 5 });
    expect(only(placed(600_001), inside, charge(0, 6, 50)).place).toEqual({ lat: 53, lon: 6 });
    expect(only(placed(600_001), charge(0, 6, 50)).place).toBeUndefined();
  });

  test('a bucket has the bounding box of its positions, and a highest charging power of 0 W counts as known', () => {
    const positions = stored(
      once(0, { LATITUDE: 52, LONGITUDE: 5.01 }),
      once(MINUTE, { LATITUDE: 52.01, LONGITUDE: 5, IsCharging: 1, ChargingCurrent: 5, ChargingVoltage: 0 }),
      once(2 * MINUTE, { ChargingCurrent: 5 }),
    );
    expect(computeBuckets(positions).get(START)).toMatchObject({
      box: { south: 52, west: 5, north: 52.01, east: 5.01 },
      chargeWatts: 0,
    });
    // By docs/figures.md section 4 a battery that takes 0 W is not charged.
    const battery = [1, 2].map((n) => once(n * MINUTE, { BatteryCurrent: -5, BatteryVoltage: 0 }));
    expect(computeBuckets(stored(positions, ...battery)).get(START)?.chargeWatts).toBeUndefined();
    expect(computeBuckets(once(0, { Own: 1 })).get(START)).toMatchObject({
      box: undefined,
      chargeWatts: undefined,
    });
  });
});
