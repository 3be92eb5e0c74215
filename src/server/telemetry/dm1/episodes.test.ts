import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dm1Observation } from '#server/telemetry/decode/j1939/dm1-log.ts';
import { dm1State } from '#server/telemetry/decode/j1939/dm1-state.ts';
import type { FaultEpisode } from '#shared/domain/fault-codes.ts';
import {
  DAY_MS,
  Dm1DayBuilder,
  type Dm1Days,
  dm1DaysInside,
  dm1DaysOutside,
  joinDays,
  subtractDm1Days,
} from './dm1-days.ts';
import { faultEpisodesOf, summarizeDm1Day } from './episodes.ts';

const T0 = Date.UTC(2026, 5, 1, 10);
const OIL = { spn: 100, fmi: 1, isOldLayout: false };
const HOT = { spn: 110, fmi: 0, isOldLayout: false };
const CODES = [OIL, HOT, { spn: 520192, fmi: 31, isOldLayout: true }];

/** Returns a DM1 with these codes and one lamp. @param codes indices in CODES */
function observation(
  time: number,
  codes: readonly number[],
  occurrences = 1,
  isStop = false,
): Dm1Observation {
  const state = dm1State({
    lamps: isStop ? [{ lamp: 'stop' }] : [{ lamp: 'warning' }],
    codes: codes.map((n) => ({ ...(CODES[n] as typeof OIL), occurrences })),
  });
  return { time, bus: 0, source: 0x21, state };
}

function daysOf(file: readonly Dm1Observation[]): Dm1Days {
  const sum = new Dm1DayBuilder();
  sum.add(file);
  return sum.take();
}
const filesOf = (files: readonly (readonly Dm1Observation[])[]): Dm1Days =>
  files.map(daysOf).reduce(joinDays, new Map());

type Episode = Omit<FaultEpisode, 'bus' | 'source'>;
function read(days: Dm1Days): Episode[] {
  const digests = [...days.values()]
    .sort((one, other) => one.day - other.day)
    .map(({ day, states }) => summarizeDm1Day(day, states));
  return inOrder(faultEpisodesOf(digests));
}
const inOrder = (episodes: Episode[]): Episode[] =>
  episodes.sort((one, other) => one.since - other.since || one.spn - other.spn);

/** Computes the episodes by processing one DM1 at a time. */
function watch(sequence: readonly Dm1Observation[]): Episode[] {
  const done: Episode[] = [];
  let open: Episode[] = [];
  for (const { time, state } of sequence) {
    const still: Episode[] = [];
    for (const [spn, fmi, isOld, occurrences] of state.codes) {
      const before = open.find((one) => one.spn === spn);
      const isStop = before?.lamp === 'stop' || state.lamp === 'stop';
      still.push({
        spn,
        fmi,
        isOldLayout: isOld === 1,
        since: before?.since ?? time,
        lastSeen: time,
        over: null,
        lamp: isStop ? 'stop' : 'warning',
        occurrences: Math.max(before?.occurrences ?? 0, occurrences),
      });
    }
    for (const one of open) if (!still.some(({ spn }) => spn === one.spn)) done.push({ ...one, over: time });
    open = still;
  }
  return inOrder([...done, ...open]);
}

describe('a code is active from the first DM1 with it until the first one without it (42.44)', () => {
  test('a code ends at the first DM1 without it', () => {
    const sequence = [observation(T0, []), observation(T0 + 1000, [0], 3, true), observation(T0 + 2000, [])];
    expect(read(daysOf(sequence))).toEqual([
      { ...OIL, since: T0 + 1000, lastSeen: T0 + 1000, over: T0 + 2000, lamp: 'stop', occurrences: 3 },
    ]);
  });

  test('silence ends no code, even over midnight or for weeks', () => {
    const later = T0 + 20 * DAY_MS;
    const sequence = [observation(T0, [0]), observation(later, [0, 1])];
    expect(
      read(daysOf(sequence)).map(({ spn, since, lastSeen, over }) => [spn, since, lastSeen, over]),
    ).toEqual([
      [100, T0, later, null],
      [110, later, later, null],
    ]);
  });

  test('a year with one DM1 each second gives a row per day and one episode', () => {
    const sum = new Dm1DayBuilder();
    const always = observation(T0, [0]);
    const seconds = 365 * 86_400;
    // A DM1 each 30 s gives the same runs as one each second, because only a pause of more than 60 s begins a new run.
    for (let second = 0; second < seconds; second += 30) sum.add([{ ...always, time: T0 + second * 1000 }]);
    const days = sum.take();
    expect(days.size).toBe(366);
    expect(
      [...days.values()].every(({ states }) => states.length === 1 && states[0]?.runs.length === 2),
    ).toBe(true);
    expect(read(days)).toHaveLength(1);
  });
});

/** Sequences of DM1 of one ECU with increasing times, split into files that overlap and arrive in any order, some twice. */
const sequences = fc
  .array(
    fc.record({
      // The pauses include midnights and long silences.
      pause: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 20 * 3_600_000 })),
      codes: fc.subarray([0, 1, 2]),
      occurrences: fc.integer({ min: 1, max: 3 }),
      isStop: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let time = T0;
    return steps.map(({ pause, codes, occurrences, isStop }) => {
      time += pause;
      return observation(time, codes, occurrences, isStop);
    });
  });
const cutSequences = sequences.chain((sequence) =>
  fc.array(fc.tuple(fc.nat(sequence.length), fc.nat(sequence.length)), { maxLength: 8 }).chain((parts) => {
    const cuts = [...new Set([0, ...parts.map(([at]) => at), sequence.length])].sort((a, b) => a - b);
    const whole = cuts.slice(1).map((to, n) => sequence.slice(cuts[n], to));
    const more = parts.map(([one, other]) => sequence.slice(Math.min(one, other), Math.max(one, other)));
    const files = [...whole, ...more].filter(({ length }) => length > 0);
    return fc.tuple(fc.constant(sequence), fc.shuffledSubarray(files, { minLength: files.length }));
  }),
);

describe('a set of DM1 messages (42.45)', () => {
  test('a set of DM1 messages gives the same episodes for any order, repetition and overlap of its files', () => {
    fc.assert(
      fc.property(cutSequences, ([sequence, files]) => {
        expect(read(filesOf(files))).toEqual(watch(sequence));
        expect(read(filesOf([...files, ...files]))).toEqual(watch(sequence));
      }),
      { numRuns: 500 },
    );
  });

  test('the episodes of one file stay when the DM1 messages of another file are removed', () => {
    fc.assert(
      fc.property(sequences, fc.nat(60), (sequence, at) => {
        const [one, other] = [sequence.slice(0, at), sequence.slice(at)];
        const both = filesOf([one, other]);
        expect(read(subtractDm1Days(both, daysOf(other)))).toEqual(watch(one));
      }),
    );
  });

  test('a range of DM1 messages can be removed and restored', () => {
    fc.assert(
      fc.property(sequences, fc.nat(60), fc.nat(60), (sequence, one, other) => {
        const times = [sequence[one]?.time ?? T0, sequence[other]?.time ?? T0].sort((a, b) => a - b);
        const range = { from: times[0] as number, to: times[1] as number };
        const days = daysOf(sequence);
        expect(read(joinDays(dm1DaysOutside(days, range), dm1DaysInside(days, range)))).toEqual(
          watch(sequence),
        );
      }),
    );
  });
});

test('an ECU that changes its codes continuously gets at most 200 stored sets of codes a day, active in at most 10,000 periods (42.45)', () => {
  const sum = new Dm1DayBuilder();
  const noise = Array.from({ length: 40_000 }, (_, n) =>
    observation(T0 + n * 1_000, [n % 3], Math.floor(n / 3) % 126),
  );
  sum.add(noise);
  const [day] = [...sum.take().values()];
  expect(day?.states).toHaveLength(200);
  const runs = day?.states.reduce((count, state) => count + state.runs.length / 2, 0) ?? 0;
  expect(runs).toBe(10_000);
  // The earliest runs are kept.
  expect(Math.min(...(day?.states.map(({ runs: [from] }) => from as number) ?? []))).toBe(T0 % DAY_MS);
});
