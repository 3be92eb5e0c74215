import { describe, expect, test } from 'vitest';
import { readingAlertOracle } from './alerts/test/oracle.ts';
import { evaluateReading, ongoingEpisodes, type WatchState } from './alerts/watch.ts';
import { positionOf } from './position.ts';
import { nextPresenceState, type PresenceChange, type PresenceState, type ProjectArea } from './presence.ts';
import { type BucketBox, boxesWithPosition, positionScatterAt } from './scatter.ts';
import type { Reading } from './signal.ts';
import { noisyReadingsOfMovement, parkedMovement, type SimulatedMovement } from './test/noisy-ways.ts';
import { computePresences } from './test/oracle/presence.ts';
import { Random } from './test/oracle/random-machine.ts';
import { scatterOfHourBefore } from './test/oracle/scatter.ts';

const MINUTE = 60_000;
const DEGREES_PER_METRE = 180 / Math.PI / 6_371_000;
const NIGHT_S = 14 * 3600;
const EVERY_S = [10, 60, 120, 240] as const;
/** Noise of a receiver beside a building: a drifting error of 30 m on each axis, which decays to about a third in ten minutes. */
const BESIDE_A_HALL = { sigma: 30, memoryS: 600 };
const GOOD = { sigma: 2.5, memoryS: 60 };

const seeds = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('the scatter of an hour', () => {
  const NOON = Date.UTC(2026, 5, 1, 12);
  /** Returns the bucket boxes of positions, each given as minutes before noon and metres north of 52 degrees. */
  const boxesOf = (...positions: (readonly [minute: number, north: number])[]): readonly BucketBox[] =>
    positions.reduce<readonly BucketBox[]>(
      (boxes, [minute, north]) =>
        boxesWithPosition(boxes, { lat: 52 + north * DEGREES_PER_METRE, lon: 5 }, NOON - minute * MINUTE),
      [],
    );

  test('the scatter is the diagonal of the bounding box of the positions in the hour that ends where the previous bucket begins', () => {
    const boxes = boxesOf([65, 0], [30, 40], [5.01, 10], [5, 900]);
    expect(positionScatterAt(boxes, NOON)?.metres).toBeCloseTo(40, 6);
    expect(positionScatterAt(boxes, NOON)?.middle.lat).toBeCloseTo(52 + 20 * DEGREES_PER_METRE, 12);
    expect(positionScatterAt(boxes, NOON + 4.99 * MINUTE)?.metres).toBeCloseTo(40, 6);
    expect(positionScatterAt(boxes, NOON + 5 * MINUTE)?.metres).toBeCloseTo(890, 6);
  });

  test('the scatter is unknown without a position in the hour before', () => {
    expect(positionScatterAt(boxesOf([65.01, 0], [5, 0]), NOON)).toBeUndefined();
  });
});

/** Returns the alerts of a rule 'moved' with a limit of 100 m; working hours end 30 minutes after the first reading. */
function alertsOf(readings: readonly Reading[]): { since: number; at: number }[] {
  const rule = { key: 'a', kind: 'moved' as const, settings: { threshold: 100 }, inWorkOnly: false, from: 0 };
  const workEnds = (readings[0] as Reading).time + 30 * MINUTE;
  const machine = { rules: [rule], batteries: [], ownedSince: 0, isWorkTime: (ms: number) => ms < workEnds };
  let state: WatchState | undefined;
  for (const reading of readings) state = evaluateReading(state, reading, machine).state;
  const found = state ? ongoingEpisodes(state).map(({ since, at }) => ({ since, at })) : [];
  expect(readingAlertOracle(readings, machine)).toEqual(found.map((one) => ({ key: 'a', ...one })));
  return found;
}

describe('moved outside working hours (52.8)', () => {
  test.each(EVERY_S)('a machine parked beside a hall opens no alert, with a reading each %i s', (everyS) => {
    for (const seed of seeds(everyS === 10 ? 2 : 10))
      expect(
        alertsOf(noisyReadingsOfMovement(parkedMovement(NIGHT_S), { ...BESIDE_A_HALL, everyS, seed })),
      ).toEqual([]);
  });

  /** Returns the movement of a machine that stands still until `fromS` and then moves `metres` at 5 m/s. */
  const theft = (fromS: number, metres: number): SimulatedMovement => ({
    seconds: fromS + 1200,
    at: (s) => [Math.min(Math.max(0, s - fromS) * 5, metres), 0],
  });

  test.each([
    [10, 4],
    [30, 4],
    [60, 4],
    [60, 1],
    [10, 0.52],
  ])(
    'a theft of 150 m on a trailer opens an alert within three minutes, with a reading each %i s, %d h after the first reading',
    (everyS, hours) => {
      for (const seed of seeds(5)) {
        const way = theft(hours * 3600, 150);
        const readings = noisyReadingsOfMovement(way, { ...GOOD, everyS, seed });
        // The trailer is 150 m away after 30 s.
        const passed = (readings[0] as Reading).time + (hours * 3600 + 30) * 1000;
        const [alert] = alertsOf(readings);
        expect(((alert?.at ?? Number.POSITIVE_INFINITY) - passed) / MINUTE).toBeLessThanOrEqual(3);
      }
    },
  );

  test('a theft through a tunnel opens an alert within three minutes after the tunnel', () => {
    const start = 4 * 3600;
    const way: SimulatedMovement = { seconds: start + 1200, at: (s) => [Math.max(0, s - start) * 12.5, 0] };
    for (const receiver of [GOOD, BESIDE_A_HALL]) {
      const readings = noisyReadingsOfMovement(way, { ...receiver, everyS: 10 });
      const begin = (readings[0] as Reading).time;
      const isInTunnel = ({ time }: Reading): boolean =>
        time > begin + start * 1000 && time < begin + (start + 240) * 1000;
      const [alert] = alertsOf(readings.filter((one) => !isInTunnel(one)));
      expect((alert?.at ?? 0) - (begin + (start + 240) * 1000)).toBe(2 * MINUTE);
    }
  });

  test('the theft of a machine that moved all over the yard in the hour before opens an alert', () => {
    const yard: SimulatedMovement = {
      seconds: 6 * 3600,
      at: (s) => (s < 4 * 3600 ? [(s % 600) / 6, 0] : [(s - 4 * 3600) * 10, 0]),
    };
    const readings = noisyReadingsOfMovement(yard, { ...GOOD, everyS: 10 });
    const [alert] = alertsOf(readings);
    expect(alert?.at).toBeLessThanOrEqual((readings[0] as Reading).time + (4 * 3600 + 180) * 1000);
  });
});

/** Returns a circle whose edge lies `metresAway` north of the parked machine; below 0: the machine is parked inside. */
const circleAt = (metresAway: number, radiusMetres = 300): ProjectArea => ({
  ...{ projectId: 1, from: 0, to: Number.POSITIVE_INFINITY },
  area: { centre: { lat: 52 + (radiusMetres + metresAway) * DEGREES_PER_METRE, lon: 5 }, radiusMetres },
});

function turnsOf(
  readings: readonly Reading[],
  places: readonly ProjectArea[],
  isOfScatter = true,
): PresenceChange[] {
  let state: PresenceState = {};
  let boxes: readonly BucketBox[] = [];
  return readings.flatMap(({ time, signals }) => {
    const position = positionOf(signals);
    if (!position) return [];
    const scatter = positionScatterAt(boxes, time);
    const moved = nextPresenceState(state, time, position, places, () => (isOfScatter ? scatter : undefined));
    state = moved.state;
    boxes = boxesWithPosition(boxes, position, time);
    return moved.changes;
  });
}

describe('presences (52.8)', () => {
  test.each([10, 60, 120, 300])(
    'a machine parked beside a hall 60 m outside a project’s area does not arrive there, with a reading each %i s',
    (everyS) => {
      // The first ten minutes do not count, because no earlier positions exist to compare with.
      const nights = seeds(40).map((seed) =>
        noisyReadingsOfMovement(parkedMovement(NIGHT_S), { ...BESIDE_A_HALL, everyS, seed }),
      );
      const after = nights.map(
        (readings) =>
          turnsOf(readings, [circleAt(60)]).filter(
            ({ from }) => from > (readings[0] as Reading).time + 10 * MINUTE,
          ).length,
      );
      expect(after.filter((count) => count > 0).length).toBeLessThanOrEqual(1);
    },
  );

  test.each([10, 60, 120])(
    'a machine parked beside a hall 10 m inside a project’s area rarely leaves it at night, with a reading each %i s',
    (everyS) => {
      const counts = seeds(40).map((seed) => {
        const readings = noisyReadingsOfMovement(parkedMovement(NIGHT_S), { ...BESIDE_A_HALL, everyS, seed });
        const late = (readings[0] as Reading).time + 90 * MINUTE;
        return turnsOf(readings, [circleAt(-10)]).filter(({ from }) => from > late).length;
      });
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8);
    },
  );

  test.each([10, 30, 60, 110])(
    'scatter does not change the times of a real arrival and departure, with a reading each %i s',
    (everyS) => {
      for (const seed of seeds(5)) {
        // An hour outside, an hour inside, and an hour outside again.
        const way: SimulatedMovement = {
          seconds: 3 * 3600,
          at: (s) => [0, s < 3600 ? 0 : s < 7200 ? Math.min(5 * (s - 3600), 400) : 400 + 5 * (s - 7200)],
        };
        const readings = noisyReadingsOfMovement(way, { ...GOOD, everyS, seed });
        const changes = turnsOf(readings, [circleAt(100)]);
        expect(changes.map(({ projectId }) => projectId)).toEqual([1, undefined]);
        expect(changes).toEqual(turnsOf(readings, [circleAt(100)], false));
      }
    },
  );

  /**
   * Returns readings that alternate between two corners of a box of 60 by 80 m for 80 minutes, and then lie `north` m to the north for 30
   * minutes.
   */
  const cornersThen = (north: number): Reading[] => {
    const way: SimulatedMovement = {
      seconds: 110 * 60,
      at: (s) => (s >= 80 * 60 ? [0, north] : Math.round(s / 120) % 2 === 0 ? [-30, -40] : [30, 40]),
    };
    return noisyReadingsOfMovement(way, { sigma: 0, everyS: 120 });
  };
  test.each([
    ['P14, 30 m inside, within the scatter of where it was parked', 60, 90, []],
    ['P14, 45 m inside, beyond the scatter', 60, 105, [1]],
    ['P15, 40 m outside, within the scatter of where it was parked', -10, -50, [1]],
    ['P15, 95 m outside, beyond the scatter', -10, -105, [1, undefined]],
  ])('in the example of figures.md scatter decides about a presence: %s', (_, border, north, expected) => {
    const readings = cornersThen(north);
    // A machine that is parked inside is on the project from its first positions on.
    const inside = noisyReadingsOfMovement({ seconds: 240, at: () => [0, 100] }, { sigma: 0, everyS: 120 });
    const all = [...inside, ...readings.map((one) => ({ ...one, time: one.time + 6 * MINUTE }))];
    const changes = turnsOf(border < 0 ? all : readings, [circleAt(border)]);
    expect(changes.map(({ projectId }) => projectId)).toEqual(expected);
  });

  test.each([10, 120, 600])(
    'figures.md P16 a short move across the edge of an area is detected at once and stays detected, with a reading each %i s',
    (everyS) => {
      const way: SimulatedMovement = {
        seconds: 4 * 3600,
        at: (s) => [0, s < 7200 ? 0 : Math.min(s - 7200, 120)],
      };
      const readings = noisyReadingsOfMovement(way, { ...GOOD, everyS });
      const changes = turnsOf(readings, [circleAt(60)]);
      expect(changes).toEqual(turnsOf(readings, [circleAt(60)], false));
      expect(changes).toHaveLength(1);
      const left = turnsOf(readings, [circleAt(-540)]);
      expect(left).toEqual(turnsOf(readings, [circleAt(-540)], false));
      expect(left.map(({ projectId }) => projectId)).toEqual([1, undefined]);
    },
  );

  test("presences of random machines whose receivers drift equal the oracle's", () => {
    let kept = 0;
    for (const seed of seeds(60)) {
      const random = new Random(seed);
      const places = seeds(3).map((projectId) => ({
        ...circleAt(random.between(-80, 80), random.pick([30, 60, 300])),
        projectId,
      }));
      // The machine is parked, then stands up to 300 m further, and then drives away.
      const [first, second, metres] = [
        random.whole(600, 9000),
        random.whole(600, 9000),
        random.between(0, 300),
      ];
      const way: SimulatedMovement = {
        seconds: first + second + 600,
        at: (s) => [
          s < first + second ? 0 : 3 * (s - first - second),
          Math.min(Math.max(0, s - first) * 3, metres),
        ],
      };
      const receiver = random.pick([BESIDE_A_HALL, { sigma: 10, memoryS: 300 }, GOOD]);
      const all = noisyReadingsOfMovement(way, {
        ...receiver,
        everyS: random.pick([10, 60, 120, 300]),
        seed,
      });
      const silent = { from: random.between(0, all.length), to: random.between(0, all.length) };
      const readings = random.chance(0.5) ? all : all.filter((_, n) => n < silent.from || n > silent.to);
      const area = ({ area }: ProjectArea) =>
        'centre' in area
          ? { kind: 'circle' as const, centre: area.centre, radius: area.radiusMetres }
          : { kind: 'polygon' as const, corners: area.corners };
      const projects = places.map((place) => ({
        id: place.projectId,
        areas: [area(place)],
        during: { from: place.from, to: place.to },
      }));
      const sorted = places.toSorted(
        (a, b) =>
          ('centre' in a.area && 'centre' in b.area ? a.area.radiusMetres - b.area.radiusMetres : 0) ||
          a.projectId - b.projectId,
      );
      const changes = turnsOf(readings, sorted);
      kept += turnsOf(readings, sorted, false).length - changes.length;
      const found = changes.flatMap(({ from, projectId }, n) =>
        projectId === undefined
          ? []
          : [{ project: projectId, from, to: changes[n + 1]?.from ?? Number.POSITIVE_INFINITY }],
      );
      const theirs = computePresences(readings, projects).map(({ project, from, to }) => ({
        project,
        from,
        to,
      }));
      expect(theirs, `machine ${seed}`).toEqual(found);
      const { time } = readings.at(-1) as Reading;
      const positions = readings.map((one) => ({
        time: one.time,
        ...(positionOf(one.signals) as { lat: number; lon: number }),
      }));
      const boxes = positions.reduce<readonly BucketBox[]>(
        (known, one) => boxesWithPosition(known, one, one.time),
        [],
      );
      expect(positionScatterAt(boxes, time)?.metres ?? 0).toBeCloseTo(
        scatterOfHourBefore(positions, time)?.scatter ?? 0,
        6,
      );
    }
    expect(kept).toBeGreaterThan(20);
  });
});
