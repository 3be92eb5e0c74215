import { expect, test } from 'vitest';
import { amsterdamInstant } from './amsterdam-time.ts';
import { Random } from './test/oracle/random-machine.ts';
import { forecastLevel, type LevelBucket, type UsualLevelChanges, usualLevelChangesOn } from './usual-day.ts';

const at = (day: string, clock: string): number => amsterdamInstant(`${day} ${clock}`, 'first') as number;
const MINUTE = 60_000;
/** A Tuesday, and the four Tuesdays before it. */
const TODAY = '2026-03-17';
const PAST = ['2026-03-10', '2026-03-03', '2026-02-24', '2026-02-17'] as const;

/** Returns a working day from 07:00 on: the machine runs for four hours, and its level falls by `points` in each of them. */
const workedOn = (day: string, points: number, first = 100): LevelBucket[] =>
  Array.from({ length: 49 }, (_, n) => ({
    time: at(day, '07:00') + n * 5 * MINUTE,
    percent: first - (points * n) / 12,
    runningMs: 5 * MINUTE,
  }));
const stoodStillOn = (day: string): LevelBucket[] =>
  workedOn(day, 0).map((bucket) => ({ ...bucket, runningMs: 0 }));
const inOrder = (...days: LevelBucket[][]) => days.flat().sort((a, b) => a.time - b.time);

/** Returns the change of the level, in percentage points, between two times of the day. */
const change = ({ from, steps }: UsualLevelChanges, begin: string, end: string): number =>
  steps
    .slice((at(TODAY, begin) - from) / (15 * MINUTE), (at(TODAY, end) - from) / (15 * MINUTE))
    .reduce((a, b) => a + b, 0);

test('the usual day is the mean of the same weekdays on which the machine worked (53.1)', () => {
  const usual = usualLevelChangesOn(TODAY)(
    inOrder(workedOn(PAST[0], 12), workedOn(PAST[1], 6), stoodStillOn(PAST[2])),
  );
  expect(usual?.steps).toHaveLength(96);
  expect(change(usual as UsualLevelChanges, '07:00', '10:15')).toBeCloseTo(-28.5, 9);
  expect(change(usual as UsualLevelChanges, '00:00', '07:00')).toBe(0);
  expect(change(usual as UsualLevelChanges, '12:00', '23:45')).toBe(0);
});

test.each([
  ['no history', []],
  ['one day of work', workedOn(PAST[0], 12)],
  [
    'one day of work and days on which it stood still',
    inOrder(workedOn(PAST[0], 12), stoodStillOn(PAST[1]), stoodStillOn(PAST[2])),
  ],
  ['work on another weekday', inOrder(workedOn(PAST[0], 12), workedOn('2026-03-16', 12))],
  ['work five weeks ago', inOrder(workedOn(PAST[0], 12), workedOn('2026-02-10', 12))],
])('usualLevelChangesOn returns undefined with %s', (_, buckets) => {
  expect(usualLevelChangesOn(TODAY)(buckets)).toBeUndefined();
});

test('the usual day includes a charge at lunch, also when a level is missing during the charge', () => {
  const day = (date: string): LevelBucket[] => [
    { time: at(date, '07:00'), percent: 100, runningMs: 5 * MINUTE },
    { time: at(date, '11:55'), percent: 50, runningMs: 15 * MINUTE },
    { time: at(date, '12:40'), percent: undefined, runningMs: 0 },
    { time: at(date, '12:55'), percent: 70, runningMs: 0 },
  ];
  const usual = usualLevelChangesOn(TODAY)(inOrder(day(PAST[0]), day(PAST[3])));
  expect(change(usual as UsualLevelChanges, '07:15', '12:00')).toBe(-50);
  expect(change(usual as UsualLevelChanges, '12:00', '13:00')).toBe(20);
});

test('the usual day uses local time when summer time begins or ends between the weeks', () => {
  // Summer time begins on 29 March.
  const usual = usualLevelChangesOn('2026-03-31')(
    inOrder(workedOn('2026-03-24', 12), workedOn('2026-03-17', 12)),
  );
  expect(usual?.from).toBe(at('2026-03-31', '00:00'));
  const first = usual?.steps.findIndex((step) => step < 0) ?? -1;
  expect((usual?.from ?? 0) + first * 15 * MINUTE).toBe(at('2026-03-31', '07:00'));
  // The day on which summer time begins has 23 hours.
  expect(
    usualLevelChangesOn('2026-03-29')(inOrder(workedOn('2026-03-22', 12), workedOn('2026-03-15', 12)))?.steps,
  ).toHaveLength(92);
});

const FLAT: UsualLevelChanges = { from: at(TODAY, '00:00'), steps: Array.from({ length: 96 }, () => -1) };

test('forecastLevel forecasts when the level falls below the limit, with a margin of 2.5 percentage points', () => {
  const ahead = forecastLevel({ at: at(TODAY, '07:00'), percent: 40 }, [FLAT], at(TODAY, '17:00'), 20);
  // The level falls one percentage point per quarter of an hour: 17.5 points take 17.5 quarters.
  expect(ahead).toEqual({ lowAt: at(TODAY, '11:22') + 30_000, lowest: 0, to: at(TODAY, '17:00') });
  expect(
    forecastLevel({ at: at(TODAY, '07:00'), percent: 40 }, [FLAT], at(TODAY, '11:15'), 20)?.lowAt,
  ).toBeUndefined();
});

test('a forecast begins at the present level and ends at the end of the last usual day', () => {
  const late = { at: at(TODAY, '23:00'), percent: 90 };
  expect(forecastLevel(late, [FLAT], late.at + 3 * 60 * MINUTE)).toEqual({
    lowAt: undefined,
    lowest: 86,
    to: at('2026-03-18', '00:00'),
  });
  expect(forecastLevel({ ...late, percent: 19 }, [FLAT], late.at + 60 * MINUTE)?.lowAt).toBe(late.at);
  expect(
    forecastLevel({ at: at('2026-03-16', '12:00'), percent: 90 }, [FLAT], at(TODAY, '12:00')),
  ).toBeUndefined();
  expect(forecastLevel(late, [], late.at + 60 * MINUTE)).toBeUndefined();
});

test('a forecast never rises above 100 %', () => {
  const steps = FLAT.steps.map((_, quarter) => (quarter < 48 ? 10 : -10));
  const ahead = forecastLevel(
    { at: at(TODAY, '11:00'), percent: 95 },
    [{ ...FLAT, steps }],
    at(TODAY, '13:00'),
  );
  expect(ahead?.lowest).toBe(60);
});

test('forecasts of random machines agree with a simulation minute by minute', () => {
  const random = new Random(53);
  for (let n = 0; n < 300; n += 1) {
    const steps = FLAT.steps.map(() => random.whole(-30, 20) / 10);
    const begin = at(TODAY, '06:00') + random.whole(0, 600) * MINUTE;
    const end = begin + random.whole(1, 400) * MINUTE;
    let level = random.whole(25, 100);
    const ahead = forecastLevel({ at: begin, percent: level }, [{ ...FLAT, steps }], end, 20);
    let [lowest, low] = [level, level < 20 ? begin : undefined];
    for (let time = begin; time < end; time += MINUTE) {
      const next = level + (steps[Math.floor((time - FLAT.from) / (15 * MINUTE))] as number) / 15;
      level = Math.max(0, Math.min(100, next));
      lowest = Math.min(lowest, level);
      if (low === undefined && level < 22.5 - 1e-9) low = time;
    }
    expect(ahead?.lowest).toBeCloseTo(lowest, 6);
    if (low === undefined) expect(ahead?.lowAt).toBeUndefined();
    else expect(Math.abs((ahead?.lowAt ?? 0) - low)).toBeLessThanOrEqual(MINUTE);
  }
});
