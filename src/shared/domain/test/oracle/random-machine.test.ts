import { describe, expect, test } from 'vitest';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { mergeAcceptedReadings } from './accept.ts';
import { metresOutside } from './area.ts';
import { type Bucket, computeBuckets, type Sums } from './buckets.ts';
import type { UnusedPositionReason } from './counting.ts';
import { type Day, dayFigures, daysOfUse, daysOverlapping, isProvisional } from './days.ts';
import { batteryIntervals, chargerOnlyIntervals, computeEnergies, computeWorkSums } from './energy.ts';
import { chargingIntervals, fullIntervals, runningHours } from './hours.ts';
import { distanceMm, positionsOf } from './path.ts';
import { computePresences, type Presence } from './presence.ts';
import { Random, type RandomMachine, randomMachine } from './random-machine.ts';
import { randomProjects } from './random-projects.ts';
import { chargingSessions, type Session } from './sessions.ts';
import { statusSums, statusTimeline } from './status.ts';
import {
  bucketOf,
  cableStateAt,
  FIVE_MINUTES_IN_MS,
  firstMotorSpeedTime,
  isInRange,
  overlapOf,
  type Range,
  ReadingStream,
  rangeLengthMs,
  timeInsideRangeMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Checks with random machines what docs/figures.md says about all machines. */

const SEEDS = Array.from({ length: 20 }, (_, n) => n + 1);
const machines = SEEDS.map((seed) => randomMachine(seed, { size: 1000 }));

const total = (buckets: readonly Bucket[], key: keyof Sums): number =>
  buckets.reduce((sum, bucket) => sum + bucket[key], 0);

/** Returns the sums of a range, with the names that they have in a bucket. */
function sumsIn(
  readings: readonly Reading[],
  range: Range,
): Omit<Sums, 'chargingMs' | 'fullMs' | 'carriedMm' | UnusedPositionReason> {
  const { outMj, fedBackMj, chargedMj, knownMs, heardMs } = computeEnergies(readings, range);
  const { runOutMj, runInMj, runKnownMs, runningMs, cableMs } = computeWorkSums(readings, range);
  return {
    ...{ outMj, inMj: fedBackMj, chargedMj, knownMs, heardMs },
    ...{ runOutMj, runInMj, runKnownMs, runningMs, cableMs },
    distanceMm: distanceMm(readings, range),
  };
}

describe('random machines', () => {
  test('a seed always gives the same machine', () => {
    expect(randomMachine(7, { size: 500 })).toEqual(randomMachine(7, { size: 500 }));
    expect(randomMachine(8, { size: 500 }).stored).not.toEqual(randomMachine(7, { size: 500 }).stored);
  });

  test('the random machines together contain every case that the checks need', () => {
    const gaps = machines.flatMap(({ stored }) =>
      stored.slice(1).map(({ time }, n) => time - (stored[n]?.time ?? 0)),
    );
    const cables = machines.flatMap(({ stored }) => {
      const stream = new ReadingStream(stored);
      return stored.map(({ time }) => cableStateAt(stream, time));
    });
    const names = new Set(
      machines.flatMap(({ stored }) => stored.flatMap(({ signals }) => Object.keys(signals))),
    );
    expect(gaps).toEqual(expect.arrayContaining([FIVE_MINUTES_IN_MS, FIVE_MINUTES_IN_MS + 1]));
    expect(new Set(cables)).toEqual(new Set(['charging', 'perhaps', 'no']));
    for (const name of ['IsChargingAC', 'IsChargingDC', 'Soc1', 'LATITUDE', 'MotorSpeed', 'Speed']) {
      expect(names).toContain(name);
    }
    expect(machines.some(({ ownership }) => ownership.length > 1)).toBe(true);
    expect(machines.some(({ accepted }) => accepted.some(({ refused }) => refused.length > 0))).toBe(true);
    expect(machines.some(({ accepted, deliveries }) => accepted.length < deliveries.length)).toBe(true);
    expect(machines.some(({ batches }) => batches.some((batch) => batch.length > 10))).toBe(true);
  });

  test('the periods of ownership of a machine follow each other without a gap', () => {
    for (const { ownership } of machines) {
      for (const [n, { from, to }] of ownership.entries()) {
        expect(from).toBeLessThan(to);
        if (n > 0) expect(from).toBe(ownership[n - 1]?.to);
      }
    }
  });
});

test.each(machines)(
  'stored readings do not depend on the order of arrival or on repeated deliveries: seed $seed',
  ({ seed, accepted, stored }) => {
    const readings = accepted.map(({ reading }) => reading);
    const random = new Random(seed);
    expect(mergeAcceptedReadings(random.shuffled([...readings, ...readings.slice(0, 100)]))).toEqual(stored);
  },
);

test.each(machines)(
  'the sums of all buckets of a range are the figures of the range: seed $seed',
  ({ stored, ranges }) => {
    const buckets = computeBuckets(stored);
    const aligned = ranges.map(({ from, to }) => ({
      from: bucketOf(from),
      to: bucketOf(to) + FIVE_MINUTES_IN_MS,
    }));
    for (const range of aligned) {
      const inside = [...buckets].flatMap(([start, bucket]) =>
        range.from <= start && start < range.to ? [bucket] : [],
      );
      const sums = sumsIn(stored, range);
      expect(sums).toEqual(
        Object.fromEntries(Object.keys(sums).map((key) => [key, total(inside, key as keyof Sums)])),
      );
      const { noDataMs, chargingMs, runningMs } = statusSums(stored, range);
      expect(total(inside, 'chargingMs')).toBe(chargingMs);
      expect(total(inside, 'fullMs')).toBe(
        timeInsideRangeMs(fullIntervals(new ReadingStream(stored)), range),
      );
      expect(runningHours(stored, range).runningMs).toBe(runningMs);
      const silent = statusTimeline(stored, range).filter(({ status }) => status === 'no data');
      expect(silent.reduce((sum, part) => sum + rangeLengthMs(part), 0)).toBe(noDataMs);
    }
  },
);

test.each(machines)(
  'the energies of the two halves of a range add up to its energy within 1 mJ: seed $seed',
  (machine) => {
    const { stored, ownRanges } = machine;
    for (const { from, to } of machine.ranges) {
      const middle = Math.floor((from + to) / 2);
      const [whole, first, second] = [
        { from, to },
        { from, to: middle },
        { from: middle, to },
      ].map((range) => computeEnergies(stored, range, ownRanges));
      for (const key of ['outMj', 'fedBackMj', 'chargedMj'] as const) {
        const difference = (whole?.[key] ?? 0) - (first?.[key] ?? 0) - (second?.[key] ?? 0);
        expect(Math.abs(difference)).toBeLessThanOrEqual(1);
      }
      expect(whole?.knownMs).toBe((first?.knownMs ?? 0) + (second?.knownMs ?? 0));
      expect(whole?.heardMs).toBe((first?.heardMs ?? 0) + (second?.heardMs ?? 0));
    }
  },
);

test.each(machines)(
  'buckets 10 min inside a period of ownership depend only on readings in that period: seed $seed',
  (machine) => {
    const { stored, ownRanges } = machine;
    const buckets = [...computeBuckets(stored)];
    for (const ownRange of ownRanges) {
      const isWhole = (start: number) =>
        start >= ownRange.from + 2 * FIVE_MINUTES_IN_MS && start + 2 * FIVE_MINUTES_IN_MS <= ownRange.to;
      const whole = buckets.filter(([start]) => isWhole(start));
      const own = computeBuckets(
        stored.filter(({ time }) => isInRange(ownRange, time)),
        firstMotorSpeedTime(stored),
      );
      expect(whole).toEqual([...own].filter(([start]) => isWhole(start)));
    }
  },
);

test.each(machines)(
  'energy counted at the battery is not counted at the charger too: seed $seed',
  ({ stored }) => {
    const stream = new ReadingStream(stored);
    const battery = batteryIntervals(stream);
    for (const charger of chargerOnlyIntervals(stream)) {
      expect(battery.filter((interval) => overlapOf(interval, charger) !== undefined)).toEqual([]);
    }
  },
);

test.each(machines)(
  'R1: a late value changes only buckets from 5 min before it to 10 min after it: seed $seed',
  (machine) => {
    const { stored, seed } = machine;
    const random = new Random(seed);
    // A change of the first MotorSpeed changes all earlier buckets (docs/figures.md section 6).
    const firstMotor = firstMotorSpeedTime(stored);
    const before = computeBuckets(stored, firstMotor);
    for (let n = 0; n < 5; n++) {
      const at = random.whole(0, stored.length - 1);
      const reading = stored[at] ?? { time: 0, signals: {} };
      const names = Object.keys(reading.signals);
      const name = names[random.whole(0, names.length - 1)];
      const isPosition = name === 'LATITUDE' || name === 'LONGITUDE';
      const others = Object.entries(reading.signals).filter(
        ([other]) => other !== name && !(isPosition && (other === 'LATITUDE' || other === 'LONGITUDE')),
      );
      // Removes either this value or the whole reading that contains it.
      const without = stored.toSpliced(
        at,
        1,
        ...(random.chance(0.5) ? [{ time: reading.time, signals: Object.fromEntries(others) }] : []),
      );
      const u = reading.time;
      const isRepaired = (start: number) =>
        start >= bucketOf(u - FIVE_MINUTES_IN_MS) && start <= bucketOf(u + 2 * FIVE_MINUTES_IN_MS);
      const outside = (buckets: ReadonlyMap<number, Bucket>) =>
        [...buckets].filter(([start]) => !isRepaired(start));
      expect(outside(computeBuckets(without, firstMotor))).toEqual(outside(before));

      const from = bucketOf(u) - 3 * FIVE_MINUTES_IN_MS;
      const to = bucketOf(u) + 4 * FIVE_MINUTES_IN_MS;
      const repaired = computeBuckets(
        stored.filter(({ time }) => from <= time && time <= to),
        firstMotor,
      );
      const inside = (buckets: ReadonlyMap<number, Bucket>) =>
        [...buckets].filter(([start]) => isRepaired(start));
      expect(inside(repaired)).toEqual(inside(before));
    }
  },
);

/** A machine with the figures that docs/figures.md section 13 defines. */
type Computed = {
  readonly machine: RandomMachine;
  readonly presences: readonly Presence[];
  readonly sessions: readonly Session[];
  readonly days: readonly Day[];
};

const tell = (machine: RandomMachine): Computed => {
  const { stored, ownRanges } = machine;
  const { projects, assignments } = randomProjects(machine);
  return {
    machine,
    presences: computePresences(stored, projects, assignments, ownRanges),
    sessions: chargingSessions(stored, ownRanges),
    days: daysOverlapping({ from: stored[0]?.time ?? 0, to: (stored.at(-1)?.time ?? 0) + 1 }),
  };
};
const computed = machines.map(tell);

describe('projects, days and charging sessions', () => {
  test('the random machines together contain every presence and session that the checks need', () => {
    const visits = computed.flatMap((one) => one.presences);
    expect(new Set(visits.map(({ by }) => by))).toEqual(new Set(['hand', 'position']));
    expect(visits.some(({ unseenMs }) => unseenMs > 0)).toBe(true);
    const charges = computed.flatMap((one) => one.sessions);
    expect(new Set(charges.map(({ ended }) => ended))).toEqual(
      new Set(['full', 'no data', 'unplugged', 'stopped', undefined]),
    );
    expect(charges.some(({ pausesMs }) => pausesMs > FIVE_MINUTES_IN_MS)).toBe(true);
    expect(charges.some(({ chargingMs }) => chargingMs < FIVE_MINUTES_IN_MS)).toBe(true);
    expect(charges.some(({ chargedMj }) => chargedMj < 0.2 * 3.6e9)).toBe(true);
    expect(charges.some(({ fullMs, chargingMs }) => fullMs > 0 && fullMs < chargingMs)).toBe(true);
    expect(charges.some(({ from, to }) => amsterdamDay(from) !== amsterdamDay(to))).toBe(true);
    expect(charges.some(({ place }) => place === undefined)).toBe(true);
    const isOver = (time: number) =>
      machines.some(({ stored }) => chargingSessions(stored).some((session) => isInRange(session, time)));
    expect([Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)].map(isOver)).toEqual([true, true]);
    const days = computed.flatMap((one) => one.days);
    expect(new Set(days.map((day) => rangeLengthMs(day) / 3.6e6))).toEqual(new Set([23, 24, 25]));
    // The machines have pauses just under 10 min, of 10 min, and just over.
    const pauses = machines.flatMap(({ stored }) => {
      const charging = chargingIntervals(new ReadingStream(stored));
      return charging.slice(1).map(({ from }, n) => from - (charging[n]?.to ?? 0));
    });
    expect(pauses.some((pause) => pause >= 585_000 && pause < 600_000)).toBe(true);
    expect(pauses).toContain(600_000);
    expect(
      machines.some(({ stored }) => chargingSessions(stored).length > 0 && bySum(stored, 'knownMs') === 0),
    ).toBe(true);
    // Some charging takes too short and charges too little to be a session.
    const chargedIn = (list: readonly Session[]) => list.reduce((sum, { chargingMs }) => sum + chargingMs, 0);
    expect(
      machines.some(({ stored }) => bySum(stored, 'chargingMs') > chargedIn(chargingSessions(stored))),
    ).toBe(true);
    // The machine is in the area while the project begins, or while it ends.
    const cut = machines.flatMap((machine) => {
      const { projects } = randomProjects(machine);
      const always = projects.map((project) => ({ ...project, during: UNLIMITED_RANGE }));
      return computePresences(machine.stored, always).flatMap((stay) => {
        const during = projects.find(({ id }) => id === stay.project)?.during ?? UNLIMITED_RANGE;
        return [
          stay.from < during.from && during.from < stay.to,
          stay.from < during.to && during.to < stay.to,
        ];
      });
    });
    expect(cut.filter((_, n) => n % 2 === 0)).toContain(true);
    expect(cut.filter((_, n) => n % 2 === 1)).toContain(true);
    const edges = machines.flatMap((machine) => {
      const areas = randomProjects(machine).projects.flatMap((project) => project.areas);
      const positions = positionsOf(new ReadingStream(machine.stored));
      return areas.flatMap((area) => positions.map((position) => metresOutside(area, position)));
    });
    expect(edges.some((metres) => metres > 0 && metres < 25)).toBe(true);
    expect(edges.some((metres) => metres > 25 && metres < 60)).toBe(true);
    expect(edges.some((metres) => metres < 0)).toBe(true);
    expect(edges.filter((m) => Math.abs(m) < 0.01 || Math.abs(m - 25) < 0.01)).toEqual([]);
  });

  test('a day begins and ends at midnight in Amsterdam', () => {
    for (const { day, from, to } of computed.flatMap((one) => one.days))
      expect(amsterdamDayRange(day)).toEqual({ from, to });
  });

  test('a seed always gives the same projects', () => {
    expect(machines.map(randomProjects)).toEqual(machines.map(randomProjects));
  });
});

const bySum = (stored: readonly Reading[], key: keyof Sums): number =>
  total([...computeBuckets(stored).values()], key);

test.each(computed)(
  'a machine is on one project at a time, inside the project’s period and its owner’s: seed $machine.seed',
  (one) => {
    const { projects } = randomProjects(one.machine);
    for (const [n, { project, from, to, unseenMs }] of one.presences.entries()) {
      expect(from).toBeLessThan(to);
      expect(from).toBeGreaterThanOrEqual(one.presences[n - 1]?.to ?? Number.NEGATIVE_INFINITY);
      const during = projects.find(({ id }) => id === project)?.during;
      expect(during !== undefined && during.from <= from && to <= during.to).toBe(true);
      expect(one.machine.ownRanges.some((ownRange) => ownRange.from <= from && to <= ownRange.to)).toBe(true);
      expect(unseenMs).toBeLessThanOrEqual(to - from);
    }
  },
);

test.each(computed)(
  'the figures of all days add up to those of the whole history: seed $machine.seed',
  ({ machine, days }) => {
    const { stored, ownRanges } = machine;
    const figures = dayFigures(
      stored,
      days.map((day) => [day]),
      ownRanges,
    );
    const sum = (numberOf: (day: (typeof figures)[number]) => number): number =>
      figures.map(numberOf).reduce((a, b) => a + b, 0);
    expect(sum(({ runningMs }) => runningMs)).toBe(runningHours(stored, undefined, ownRanges).runningMs);
    expect(sum(({ energies: { chargedMj } }) => chargedMj)).toBe(
      computeEnergies(stored, undefined, ownRanges).chargedMj,
    );
    expect(sum(({ distanceMm: mm }) => mm)).toBe(distanceMm(stored, undefined, ownRanges));
    for (const { activity, coverage, windowMs, heardInWindowMs, idleMs, runningMs } of figures) {
      expect(coverage === null).toBe(activity === undefined);
      expect(heardInWindowMs).toBeLessThanOrEqual(windowMs);
      expect(idleMs).toBeLessThanOrEqual(heardInWindowMs);
      expect(runningMs).toBeLessThanOrEqual(heardInWindowMs);
    }
    expect(daysOfUse(figures, 0)).toBe(days.length);
    expect(daysOfUse(figures, 60)).toBeLessThanOrEqual(daysOfUse(figures, 1));
    // No reading follows the last day, so that its figures may still change.
    expect(days.map((day) => isProvisional(stored, day, stored.at(-1)?.time ?? 0)).at(-1)).toBe(true);
  },
);

test.each(computed)(
  'charging sessions lie 10 min apart and together have at most the charged energy of the history: seed $machine.seed',
  (one) => {
    const { stored, ownRanges } = one.machine;
    for (const [n, session] of one.sessions.entries()) {
      const previous = one.sessions[n - 1];
      const isSameOwnership =
        previous !== undefined &&
        ownRanges.some((ownRange) => isInRange(ownRange, previous.from) && isInRange(ownRange, session.from));
      if (isSameOwnership) expect(session.from - previous.to).toBeGreaterThanOrEqual(600_000);
      expect(session.chargingMs).toBeLessThanOrEqual(session.to - session.from);
      expect(session.fullMs).toBeLessThanOrEqual(session.chargingMs);
    }
    const charged = one.sessions.reduce((sum, { chargedMj }) => sum + chargedMj, 0);
    // Sessions cut intervals where `computeEnergies` does not, so that rounding may differ by 2 mJ per session.
    const all = computeEnergies(stored, undefined, ownRanges).chargedMj;
    expect(charged).toBeLessThanOrEqual(all + 2 * one.sessions.length);
  },
);
