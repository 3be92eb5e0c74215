import { type ActiveFaultCode, OCCURRENCES_NOT_AVAILABLE } from '#server/telemetry/decode/j1939/dm1-state.ts';
import { type FaultEpisode, LAMPS, type Lamp } from '#shared/domain/fault-codes.ts';
import { DAY_MS, type Dm1DayState } from './dm1-days.ts';
import {
  iterateTimeIntervals,
  subtractTimeIntervals,
  type TimeIntervalBounds,
  uniteTimeIntervals,
} from './runs.ts';

/** A summary of an ECU's fault codes on one day, small enough to read the summaries of years. Times in ms since 1970. */
export type Dm1DaySummary = {
  /** Time of the first DM1. */
  readonly first: number;
  /** Periods in which every DM1 contained the code. The periods of one code are in chronological order. */
  readonly chains: readonly Chain[];
};
type Chain = Omit<FaultEpisode, 'bus' | 'source'>;

/** Returns the summary of a day; `day`: days since 1970-01-01. */
export function summarizeDm1Day(day: number, states: readonly Dm1DayState[]): Dm1DaySummary {
  const start = day * DAY_MS;
  const timeline = states
    .flatMap((state) => [...iterateTimeIntervals(state.runs)].map(([from, to]) => ({ from, to, state })))
    .sort((one, other) => one.from - other.from);
  const received = uniteTimeIntervals(
    timeline.flatMap(({ from, to }) => [from, to]),
    [],
  );
  const reports = new Map<string, Report[]>();
  for (const { from, to, state } of timeline)
    for (const code of state.codes) {
      const key = `${code[0]}.${code[1]}.${code[2]}`;
      const its = reports.get(key) ?? [];
      its.push({ from: start + from, to: start + to, lamp: state.lamp, code });
      reports.set(key, its);
    }
  const times = received.map((ms) => start + ms);
  return { first: times[0] as number, chains: [...reports.values()].flatMap((its) => chainsOf(its, times)) };
}

/** A run of DM1 messages that contain a code. */
type Report = {
  readonly from: number;
  readonly to: number;
  readonly lamp: Lamp | null;
  readonly code: ActiveFaultCode;
};

/** Returns the chains of one code. @param reports sorted */
function chainsOf(reports: readonly Report[], received: TimeIntervalBounds): Chain[] {
  const seen = uniteTimeIntervals(
    reports.flatMap(({ from, to }) => [from, to]),
    [],
  );
  // Each absence starts with a DM1 that does not contain the code.
  const absences = [...iterateTimeIntervals(subtractTimeIntervals(received, seen))].map(([from]) => from);
  const chains: Chain[] = [];
  let next = 0;
  for (const { from, to, lamp, code } of reports) {
    const [spn, fmi, isOldLayout, count] = code;
    const chain = {
      spn,
      fmi,
      isOldLayout: isOldLayout === 1,
      since: from,
      lastSeen: to,
      over: null,
      lamp,
      occurrences: count === OCCURRENCES_NOT_AVAILABLE ? null : count,
    };
    const last = chains.at(-1);
    const isApart = last === undefined || (absences[next] ?? Number.POSITIVE_INFINITY) < from;
    const added = isApart ? chain : continued(last, chain);
    while ((absences[next] ?? Number.POSITIVE_INFINITY) <= added.lastSeen) next += 1;
    chains.splice(isApart ? chains.length : -1, 1, { ...added, over: absences[next] ?? null });
  }
  return chains;
}

const worst = (lamps: readonly (Lamp | null)[]): Lamp | null =>
  LAMPS.find((lamp) => lamps.includes(lamp)) ?? null;

/**
 * Returns the episodes of an ECU: a code is active from the first DM1 that contains it until the first one that does not. Silence
 * does not end an episode.
 */
export function faultEpisodesOf(days: readonly Dm1DaySummary[]): Chain[] {
  const episodes: Chain[] = [];
  let open = new Map<string, Chain>();
  for (const { first, chains } of days) {
    const still = new Map<string, Chain>();
    for (const chain of chains) {
      const key = `${chain.spn}.${chain.fmi}.${chain.isOldLayout}`;
      const before = still.get(key) ?? open.get(key);
      open.delete(key);
      const continues = before !== undefined && before.over === null && chain.since === first;
      if (before && !continues) episodes.push({ ...before, over: before.over ?? first });
      still.set(key, continues ? continued(before, chain) : chain);
    }
    for (const chain of open.values()) episodes.push({ ...chain, over: chain.over ?? first });
    open = still;
  }
  episodes.push(...open.values());
  return episodes;
}

const continued = (before: Chain, chain: Chain): Chain => ({
  ...chain,
  since: before.since,
  lastSeen: Math.max(before.lastSeen, chain.lastSeen),
  lamp: worst([before.lamp, chain.lamp]),
  occurrences:
    before.occurrences === null && chain.occurrences === null
      ? null
      : Math.max(before.occurrences ?? 0, chain.occurrences ?? 0),
});
