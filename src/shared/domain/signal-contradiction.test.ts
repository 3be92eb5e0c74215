import { expect, test } from 'vitest';
import {
  type ComparedBucket,
  type Contradiction,
  contradictionText,
  findContradiction,
  hourlyChangesOf,
  isEnergyUnknown,
  shortContradictionText,
} from './signal-contradiction.ts';
import { Random } from './test/oracle/random-machine.ts';

const FIVE_MINUTES = 300_000;
const HOUR = 12;

/** The real power and activity of a machine with 100 kWh of batteries in 5 minutes. */
type Truth = {
  readonly kW: number;
  readonly runs?: boolean;
  readonly byCharger?: boolean;
};
type Faults = {
  readonly current?: number;
  readonly level?: (percent: number) => number;
  readonly isKnown?: boolean;
};

/** Returns the buckets that a machine's signals give, with wrong signs or scales as in `faults`. */
function sent(course: readonly Truth[], faults: Faults = {}, begin = 50): ComparedBucket[] {
  const { current = 1, level = (percent) => percent, isKnown = true } = faults;
  let percent = begin;
  return course.map(({ kW, runs, byCharger }, n) => {
    const points = -kW / 12;
    percent += points;
    return {
      start: n * FIVE_MINUTES,
      heardMs: FIVE_MINUTES,
      knownMs: isKnown ? FIVE_MINUTES : 0,
      runningMs: runs ? FIVE_MINUTES : 0,
      chargerMs: byCharger ? FIVE_MINUTES : 0,
      netMj: isKnown ? (kW / 12) * 3.6e9 * current : 0,
      levels: [level(percent - points / 2)],
    };
  });
}

const hours = (count: number, truth: Truth): Truth[] => new Array<Truth>(count * HOUR).fill(truth);
const CHARGE = hours(1, { kW: -30, byCharger: true });
const CABLE = hours(1, { kW: -30 });
const WORK = hours(2, { kW: 15, runs: true });
const DAY = [...WORK, ...CHARGE, ...WORK];

const judge = (
  buckets: readonly ComparedBucket[],
  entered: { capacityKwh?: number | undefined; volts?: number | undefined } = {},
): Contradiction | undefined =>
  findContradiction(hourlyChangesOf(buckets), { capacityKwh: 100, volts: 640, ...entered });

test.each<[string, ComparedBucket[], string, number | null]>([
  ['a current of the other sign, at work', sent(WORK, { current: -1 }), 'BatteryCurrent', -1],
  [
    'a current of the other sign, on a cable without signals',
    sent(CABLE, { current: -1 }),
    'BatteryCurrent',
    -1,
  ],
  ['a current of the other sign, over a day', sent(DAY, { current: -1 }), 'BatteryCurrent', -1],
  ['a depth of discharge on the charger', sent(CHARGE, { level: (p) => 100 - p }), 'Soc', -1],
  ['a depth of discharge over a day', sent(DAY, { level: (p) => 100 - p }), 'Soc', -1],
  ['a current ten times too large', sent(DAY, { current: 10 }), 'BatteryCurrent', 0.1],
  ['a current in mA', sent(DAY, { current: 1000 }), 'BatteryCurrent', 0.001],
  ['a current ten times too small', sent(DAY, { current: 0.11 }), 'BatteryCurrent', 10],
  ['a current five times too large', sent(DAY, { current: 5 }), 'BatteryCurrent', null],
])('the wrong signal is found: %s (52.7)', (_, buckets, signal, factor) => {
  expect(judge(buckets)).toMatchObject({ signal, factor, offset: signal === 'Soc' ? 100 : 0 });
});

test('a voltage of 6,400 V is found to be too large (52.7)', () => {
  expect(judge(sent(DAY, { current: 10 }), { volts: 6_400 })).toMatchObject({
    signal: 'BatteryVoltage',
    factor: 0.1,
  });
});

const exchanged = sent(WORK).map((bucket, n) => (n < 12 ? bucket : { ...bucket, levels: [95 - n] }));
test.each<[string, ComparedBucket[], Parameters<typeof judge>[1]?]>([
  ['a day without a fault', sent(DAY)],
  ['an exchange of packs', exchanged],
  ['a charger beside the one that is measured', sent(DAY, { current: 0.5 })],
  ['an old pack of 40 % of its capacity', sent(DAY, { current: 0.4 })],
  ['a machine that feeds back on a way down', sent(hours(2, { kW: -10, runs: true }))],
  ['an idle machine', sent(hours(20, { kW: 0.3 }), { current: -1 })],
  ['a scale where capacities are not entered', sent(DAY, { current: 10 }), { capacityKwh: undefined }],
  ['a scale where no voltage is sent', sent(DAY, { current: 10 }), { volts: undefined }],
  ['levels without any energy', sent(DAY, { isKnown: false }).map((one) => ({ ...one, chargerMs: 0 }))],
  [
    'a pack that comes and goes',
    sent(DAY, { current: -1 }).map((one, n) => ({
      ...one,
      levels: n % 2 ? one.levels : [...one.levels, 90],
    })),
  ],
  [
    'an hour of silence between two readings',
    sent(DAY, { current: -1 }).map((one) => ({ ...one, start: one.start * 12 })),
  ],
])('no wrong signal is found in %s (52.7)', (_, buckets, entered) => {
  expect(judge(buckets, entered)).toBeUndefined();
});

test('an hour whose energy is unknown is checked by its readings (52.7)', () => {
  expect(hourlyChangesOf(sent(CABLE, { isKnown: false })).map(isEnergyUnknown)).toEqual([true]);
  expect(hourlyChangesOf(sent(CABLE)).map(isEnergyUnknown)).toEqual([false]);
});

test('the wrong signal of 300 random machines is found, and none in machines without a wrong signal (52.7)', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = new Random(seed);
    const course: Truth[] = [];
    let percent = 60;
    for (let n = 0; n < 24; n += 1) {
      const isLow = percent < 30;
      const isCharge = isLow || (percent < 80 && random.chance(0.3));
      const kW = isCharge ? -random.between(5, 25) : random.between(2, 20);
      course.push(...hours(1, { kW, runs: !isCharge, byCharger: isCharge && random.chance(0.5) }));
      percent -= kW;
      if (percent > 95) break;
    }
    const current = random.pick([1, 1, -1, 10, 0.1, 1000]);
    const isTurned = current === 1 && random.chance(0.5);
    const noisy = (level: number): number => level + random.between(-0.2, 0.2);
    const level = (p: number): number => noisy(isTurned ? 100 - p : p);
    const found = judge(sent(course, { current, level }, 60));
    const expected = isTurned ? 'Soc' : current === 1 ? undefined : 'BatteryCurrent';
    expect([seed, found?.signal]).toEqual([seed, expected]);
    if (expected === 'BatteryCurrent') expect([seed, found?.factor]).toEqual([seed, 1 / current]);
  }
});

test.each<[Contradiction, string, string]>([
  [
    { signal: 'BatteryCurrent', factor: -1, offset: 0, points: 29.4, kWh: 37.7 },
    'Accustroom heeft vermoedelijk het verkeerde teken: de accu liep 29% op terwijl 38 kWh werd afgenomen',
    'Stroom: verkeerd teken?',
  ],
  [
    { signal: 'BatteryCurrent', factor: -1, offset: 0, points: -12, kWh: -9.94 },
    'Accustroom heeft vermoedelijk het verkeerde teken: de accu liep 12% terug terwijl 9,9 kWh werd geladen',
    'Stroom: verkeerd teken?',
  ],
  [
    { signal: 'Soc', factor: -1, offset: 100, points: -30, kWh: -30 },
    'Laadtoestand loopt vermoedelijk de verkeerde kant op: de accu liep 30% terug terwijl 30 kWh werd geladen',
    'Laadniveau: verkeerde kant op?',
  ],
  [
    { signal: 'BatteryVoltage', factor: 0.1, offset: 0, points: -30, kWh: 612, expectedKWh: 60 },
    'Accuspanning is vermoedelijk 10 keer te groot: de accu liep 30% terug, ongeveer 60 kWh, terwijl 612 kWh werd geteld',
    'Spanning: 10 keer te groot?',
  ],
  [
    { signal: 'BatteryCurrent', factor: null, offset: 0, points: 30, kWh: -12, expectedKWh: 60 },
    'Accustroom is vermoedelijk ongeveer 5 keer te klein: de accu liep 30% op, ongeveer 60 kWh, terwijl 12 kWh werd geteld',
    'Stroom: ongeveer 5 keer te klein?',
  ],
])('the sentence and the short text about a contradiction, case %# (52.7)', (found, words, short) => {
  expect([contradictionText(found), shortContradictionText(found)]).toEqual([words, short]);
});
