import type { Reading } from '#shared/domain/signal.ts';
import { isDrivingAt } from '#shared/domain/test/oracle/movement.ts';
import { greatCircle, positionsOf } from '#shared/domain/test/oracle/path.ts';
import { scatterOfHourBefore } from '#shared/domain/test/oracle/scatter.ts';
import { packNumberOf, socByPackAt } from '#shared/domain/test/oracle/soc.ts';
import {
  chargingFlagAt,
  FIVE_MINUTES_IN_MS,
  isChargingAt,
  isTakingCurrentAt,
  ReadingStream,
} from '#shared/domain/test/oracle/track.ts';
import type { ConditionAlertKind } from '../kinds.ts';
import type { WatchedMachine, WatchedRule } from '../watch.ts';

/**
 * Oracle for rules that readings evaluate, written from docs/alerts.md sections 1 and 2 alone. It keeps no state between readings: it
 * evaluates each reading by looking back over all earlier ones, groups consecutive equal results into runs, and opens and closes alerts by
 * the length of the runs.
 */

/** Times in ms. */
export type OracleEpisode = {
  readonly key: string;
  readonly since: number;
  readonly at: number;
  /** undefined: the alert is still open after the last reading. */
  readonly until?: number;
};

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** A reading with the values known at its time; NaN, which compares false with any threshold, for an unknown value. */
type Moment = {
  readonly time: number;
  readonly isWork: boolean;
  /** Level of the lowest known pack, in %. */
  readonly lowest: number;
  readonly mean: number;
  /** Difference between the highest and the lowest pack; NaN with fewer than two. */
  readonly difference: number;
  readonly isCharging: boolean;
  /** Whether current flows into the battery while the machine stands still. */
  readonly takes: boolean;
  /** The largest value of the charging flags. */
  readonly flag: number;
  readonly amps: number;
  readonly speed: number;
  /** Whether the machine drives (docs/figures.md section 6). */
  readonly drives: boolean;
  /** For each pack that sent a value in the last 24 hours: time since its last value, in ms. */
  readonly silences: readonly number[];
  /** Distance between this reading's position and the machine's last position in working hours, where it was left. */
  readonly metres: number;
  /**
   * Three quarters of the scatter of the positions of the last hour, without those from before the machine was left;
   * at least 30 and at most 150 metres.
   */
  readonly scatter: number;
};

function momentsOf(readings: readonly Reading[], isWorkTime: (ms: number) => boolean): Moment[] {
  const stream = new ReadingStream(readings);
  const positions = positionsOf(stream);
  const atWork = positions.filter(({ time }) => isWorkTime(time));
  const packs = [1, 2, 3, 4, 5, 6, 7, 8].map((pack) =>
    stream.readings.filter(({ signals }) => Object.keys(signals).some((name) => packNumberOf(name) === pack)),
  );
  return stream.readings.map(({ time }) => {
    const levels = [...socByPackAt(stream, time).values()];
    const lowest = levels.length > 0 ? Math.min(...levels) : Number.NaN;
    const here = lastUpTo(positions, time);
    const left = lastUpTo(atWork, time) ?? positions[0];
    const away = positions.slice(
      countUpTo(positions, Math.max((left?.time ?? 0) - 1, time - 75 * MINUTE)),
      countUpTo(positions, time),
    );
    return {
      time,
      isWork: isWorkTime(time),
      lowest,
      mean: levels.reduce((sum, level) => sum + level, 0) / levels.length,
      difference: levels.length > 1 ? Math.max(...levels) - lowest : Number.NaN,
      isCharging: isChargingAt(stream, time),
      takes: isTakingCurrentAt(stream, time),
      flag: chargingFlagAt(stream, time) ?? Number.NaN,
      amps: stream.track('ChargingCurrent').before(time) ?? Number.NaN,
      speed: stream.track('Speed').before(time) ?? Number.NaN,
      drives: isDrivingAt(stream, time),
      silences: packs
        .map((sent) => time - (lastUpTo(sent, time)?.time ?? Number.NEGATIVE_INFINITY))
        .filter((silence) => silence <= DAY),
      metres: here?.time === time && left ? greatCircle(left, here) / 1000 : Number.NaN,
      scatter: Math.min(150, Math.max(30, 0.75 * (scatterOfHourBefore(away, time)?.scatter ?? 0))),
    };
  });
}

/** Returns how many items of a list in order of time lie at or before `time`. */
function countUpTo(list: readonly { readonly time: number }[], time: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const lastUpTo = <T extends { readonly time: number }>(list: readonly T[], time: number): T | undefined =>
  list[countUpTo(list, time) - 1];

type Status = 'firing' | 'ok' | 'unknown';

/** The table of docs/alerts.md section 2: whether the condition is firing at a reading, and whether it is ok. */
const TABLE: Readonly<
  Record<ConditionAlertKind, (moment: Moment, threshold: number, clear: number) => [boolean, boolean]>
> = {
  low: ({ lowest, isCharging }, threshold, clear) => [
    lowest < threshold && !isCharging,
    isCharging || lowest >= clear,
  ],
  'not-charging': ({ flag, amps, mean, takes }, threshold) => [
    flag >= 1 && amps <= 1 && mean < threshold && !takes,
    flag < 1 || amps > 1 || mean >= threshold || takes,
  ],
  'packs-apart': ({ difference }, threshold, clear) => [difference > threshold, difference < clear],
  'pack-silent': ({ silences }, threshold) => [
    silences.some((ms) => ms >= threshold * MINUTE) && silences.some((ms) => ms <= FIVE_MINUTES_IN_MS),
    silences.length > 0 && silences.every((ms) => ms <= FIVE_MINUTES_IN_MS),
  ],
  speeding: ({ speed, drives }, threshold, clear) => [
    speed > threshold && drives,
    speed < clear || (!Number.isNaN(speed) && !drives),
  ],
  moved: ({ isWork, metres, scatter }, threshold) => [!isWork && metres > threshold + scatter, isWork],
};

function evaluate({ kind, settings, inWorkOnly }: WatchedRule, moment: Moment): Status {
  const { threshold = Number.NaN, clear = Number.NaN } = settings;
  const [isFiring, isOk] = TABLE[kind as ConditionAlertKind](moment, threshold, clear);
  if (isFiring) return inWorkOnly && !moment.isWork ? 'unknown' : 'firing';
  return isOk ? 'ok' : 'unknown';
}

type Evaluation = { readonly time: number; readonly status: Status };

/** Returns each run of consecutive readings without a gap that all have the wanted status, as the times of its readings. */
function runsOf(readings: readonly Evaluation[], wanted: Status): number[][] {
  const isCut = ({ time, status }: Evaluation, before: Evaluation | undefined): boolean =>
    before?.status !== status || time - before.time > FIVE_MINUTES_IN_MS;
  const cuts = readings.flatMap((reading, n) => (isCut(reading, readings[n - 1]) ? [n] : []));
  return cuts
    .map((start, n) => readings.slice(start, cuts[n + 1]))
    .filter(([first]) => first?.status === wanted)
    .map((run) => run.map(({ time }) => time));
}

function episodesOf(rule: WatchedRule, moments: readonly Moment[]): OracleEpisode[] {
  const { key, from, settings } = rule;
  const hold = Math.max(settings.hold ?? 0, rule.kind === 'moved' ? 2 : 0) * MINUTE;
  const clearHold = (settings.clearHold ?? 0) * MINUTE;
  const readings = moments
    .filter(({ time }) => time >= from)
    .map((moment) => ({ time: moment.time, status: evaluate(rule, moment) }));
  const openings = runsOf(readings, 'firing').flatMap(([since = 0, ...others]) => {
    const at = others.find((time) => time - since >= hold);
    return at === undefined ? [] : [{ since, at }];
  });
  const closings = runsOf(readings, 'ok').flatMap((run) => {
    const [until = 0] = run;
    const known = run.find((ms) => ms - until >= clearHold);
    return known === undefined ? [] : [{ time: until, known }];
  });
  const episodes: OracleEpisode[] = [];
  let closed = Number.NEGATIVE_INFINITY;
  for (const { since, at } of openings) {
    if (since <= closed) continue;
    const closing = closings[countUpTo(closings, at)];
    episodes.push({ key, since, at, ...(closing && { until: closing.time }) });
    closed = closing?.known ?? Number.POSITIVE_INFINITY;
  }
  return episodes;
}

/** Returns the alerts of all readings of a machine, in order of time. */
export function readingAlertOracle(
  readings: readonly Reading[],
  { rules, isWorkTime }: Pick<WatchedMachine, 'rules' | 'isWorkTime'>,
): OracleEpisode[] {
  const moments = momentsOf(readings, isWorkTime);
  return rules.flatMap((rule) => episodesOf(rule, moments)).sort(compareEpisodes);
}

export const compareEpisodes = (a: OracleEpisode, b: OracleEpisode): number =>
  a.since - b.since || (a.key < b.key ? -1 : 1);
