import type { Dm1Observation } from '#server/telemetry/decode/j1939/dm1-log.ts';
import { type ActiveFaultCode, dm1StateKey } from '#server/telemetry/decode/j1939/dm1-state.ts';
import type { Lamp } from '#shared/domain/fault-codes.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  iterateTimeIntervals,
  subtractTimeIntervals,
  type TimeIntervalBounds,
  uniteTimeIntervals,
} from './runs.ts';

/** The content of a DM1 (lamp and fault codes), and the times on one day (UTC) at which an ECU sent a DM1 with this content. */
export type Dm1DayState = {
  readonly lamp: Lamp | null;
  readonly codes: readonly ActiveFaultCode[];
  /** Time ranges, each from the first to the last of consecutive equal DM1 messages, in ms since the day began. */
  readonly runs: TimeIntervalBounds;
};

/** Identifies a day of an ECU of a stream; `day`: days since 1970-01-01, UTC. */
export type Dm1DayKey = { readonly day: number; readonly bus: number; readonly source: number };

export type Dm1Day = Dm1DayKey & { readonly states: readonly Dm1DayState[] };
/** The days of a stream's ECUs, by `dm1DayKeyText`. */
export type Dm1Days = ReadonlyMap<string, Dm1Day>;

export const DAY_MS = 86_400_000;
/** Maximum time between two DM1 messages of one run: after a longer time a new run begins, because nothing was observed in between. */
const MAX_PAUSE_MS = 60_000;
/** Maximum number of runs of an ECU's day; later runs are dropped, because a DM1 that changes more often is noise. */
const MAX_RUNS = 10_000;
const MAX_STATES = 200;

export const dm1DayKeyText = ({ day, bus, source }: Dm1DayKey): string => `${day}.${bus}.${source}`;

/**
 * Combines observations by day and ECU. The result depends only on the set of observations, not on the order of their files or on
 * repeated uploads.
 */
export class Dm1DayBuilder {
  readonly #last = new Map<number, GrowingRun>();
  #runs: GrowingRun[] = [];

  /** Adds observations. @param counts returns whether observations at a time (ms) are included */
  add(observations: readonly Dm1Observation[], counts: (time: number) => boolean = () => true): void {
    for (const observation of observations) if (counts(observation.time)) this.#addOne(observation);
  }

  #addOne({ time, bus, source, state }: Dm1Observation): void {
    const sender = bus * 0x100 + source;
    const day = Math.floor(time / DAY_MS);
    const last = this.#last.get(sender);
    const pause = last ? time - last.to : Number.POSITIVE_INFINITY;
    const continues = last?.state.key === state.key && pause >= 0 && pause <= MAX_PAUSE_MS;
    if (last && continues && day === last.day) {
      last.to = time;
      return;
    }
    const from = continues ? day * DAY_MS : time;
    if (last && continues) last.to = from - 1;
    const run = { day, bus, source, state, from, to: time };
    this.#last.set(sender, run);
    this.#runs.push(run);
  }

  get size(): number {
    return this.#runs.length;
  }

  /** Returns the days that were added since the last call. */
  take(): Dm1Days {
    const days = new Map<string, Dm1DayKey & { states: Dm1DayState[] }>();
    for (const { day, bus, source, state, from, to } of this.#runs) {
      const key = dm1DayKeyText({ day, bus, source });
      const known = days.get(key) ?? { day, bus, source, states: [] };
      const start = day * DAY_MS;
      known.states.push({ lamp: state.lamp, codes: state.codes, runs: [from - start, to - start] });
      days.set(key, known);
    }
    this.#runs = [];
    this.#last.clear();
    return joinDays(new Map(), days);
  }
}

type GrowingRun = Dm1DayKey & Pick<Dm1Observation, 'state'> & { readonly from: number; to: number };

/** Returns the union of two sets of days. */
export function joinDays(one: Dm1Days, other: Dm1Days): Dm1Days {
  const joined = new Map(one);
  for (const [key, day] of other) {
    const states = [...(joined.get(key)?.states ?? []), ...day.states];
    joined.set(key, { ...day, states: bounded(joinStates(states)) });
  }
  return joined;
}

function joinStates(states: readonly Dm1DayState[]): Dm1DayState[] {
  return [...Map.groupBy(states, ({ lamp, codes }) => dm1StateKey(lamp, codes)).values()].map((same) => {
    const [first] = same as [Dm1DayState];
    const runs = same.flatMap((state) => [...iterateTimeIntervals(state.runs)]).flat();
    return { ...first, runs: uniteTimeIntervals(runs, []) };
  });
}

function bounded(states: readonly Dm1DayState[]): Dm1DayState[] {
  const first = [...states]
    .sort((a, b) => (a.runs[0] as number) - (b.runs[0] as number))
    .slice(0, MAX_STATES);
  const froms = first.flatMap(({ runs }) => runs.filter((_, n) => n % 2 === 0)).sort((a, b) => a - b);
  const last = froms[MAX_RUNS - 1] ?? Number.POSITIVE_INFINITY;
  return first.flatMap((state) => {
    const runs = [...iterateTimeIntervals(state.runs)].filter(([from]) => from <= last).flat();
    return runs.length > 0 ? [{ ...state, runs }] : [];
  });
}

/** Returns the part of `one` that is not in `other`. */
export function subtractDm1Days(one: Dm1Days, other: Dm1Days): Dm1Days {
  return mapStates(one, (state, key) => {
    const same = other
      .get(key)
      ?.states.find(({ lamp, codes }) => dm1StateKey(lamp, codes) === dm1StateKey(state.lamp, state.codes));
    return same ? subtractTimeIntervals(state.runs, same.runs) : state.runs;
  });
}

/** Returns the part of the days inside a half-open range in ms; `dm1DaysOutside` returns the part outside. */
export const dm1DaysInside = (days: Dm1Days, range: Range): Dm1Days =>
  mapStates(days, ({ runs }, _, start) =>
    subtractTimeIntervals(runs, subtractTimeIntervals(WHOLE_DAY, ownRuns(range, start))),
  );
export const dm1DaysOutside = (days: Dm1Days, range: Range): Dm1Days =>
  mapStates(days, ({ runs }, _, start) => subtractTimeIntervals(runs, ownRuns(range, start)));

const WHOLE_DAY: TimeIntervalBounds = [0, DAY_MS - 1];

function ownRuns({ from, to }: Range, start: number): TimeIntervalBounds {
  const first = Math.max(0, from - start);
  const last = Math.min(DAY_MS, to - start) - 1;
  return first <= last ? [first, last] : [];
}

/** Returns the days with their runs replaced, without empty states and days. */
function mapStates(
  days: Dm1Days,
  runsOf: (state: Dm1DayState, key: string, start: number) => TimeIntervalBounds,
): Dm1Days {
  const mapped = new Map<string, Dm1Day>();
  for (const [key, day] of days) {
    const states = day.states
      .map((state) => ({ ...state, runs: runsOf(state, key, day.day * DAY_MS) }))
      .filter(({ runs }) => runs.length > 0);
    if (states.length > 0) mapped.set(key, { ...day, states });
  }
  return mapped;
}
