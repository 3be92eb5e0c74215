import type { Reading } from '#shared/domain/signal.ts';
import { drivesAt } from '#shared/domain/test/oracle/movement.ts';
import { greatCircle, positionsOf } from '#shared/domain/test/oracle/path.ts';
import { hourBefore } from '#shared/domain/test/oracle/scatter.ts';
import { packOf, packsAt } from '#shared/domain/test/oracle/soc.ts';
import { charges, FIVE_MINUTES, flagAt, Stream, takes } from '#shared/domain/test/oracle/track.ts';
import type { JudgedKind } from '../kinds.ts';
import type { WatchedMachine, WatchedRule } from '../watch.ts';

/**
 * The alerts of a machine, from docs/alerts.md sections 1 and 2 alone: nothing is carried along from one reading to the
 * next. Each reading is judged by looking back over all of them; what follows each other and is judged alike is a run;
 * runs that lasted open and close.
 */

/** Times in ms. */
export type OracleEpisode = {
  readonly key: string;
  readonly since: number;
  readonly at: number;
  /** undefined: it is open at the end. */
  readonly until?: number;
};

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** A reading, with what is known at its time; NaN, which is neither more nor less than anything: it is not. */
type Moment = {
  readonly time: number;
  readonly isWork: boolean;
  /** %, of the known packs. */
  readonly lowest: number;
  readonly mean: number;
  /** Between the highest and the lowest of two or more. */
  readonly difference: number;
  readonly isCharging: boolean;
  /** Current goes into the battery while it stands still. */
  readonly takes: boolean;
  /** The largest one. */
  readonly flag: number;
  readonly amps: number;
  readonly speed: number;
  /** Whether the machine drives (docs/figures.md section 6). */
  readonly drives: boolean;
  /** For how long, ms, of each pack that was heard in the last 24 hours, nothing was. */
  readonly silences: readonly number[];
  /** Of this reading's position, from where the machine was left. */
  readonly metres: number;
  /** Three quarters of the scatter of the hour before, since it was left; from 30 to 150. */
  readonly scatter: number;
};

function momentsOf(readings: readonly Reading[], isWorkTime: (ms: number) => boolean): Moment[] {
  const stream = new Stream(readings);
  const positions = positionsOf(stream);
  const atWork = positions.filter(({ time }) => isWorkTime(time));
  const packs = [1, 2, 3, 4, 5, 6, 7, 8].map((pack) =>
    stream.readings.filter(({ signals }) => Object.keys(signals).some((name) => packOf(name) === pack)),
  );
  return stream.readings.map(({ time }) => {
    const levels = [...packsAt(stream, time).values()];
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
      isCharging: charges(stream, time),
      takes: takes(stream, time),
      flag: flagAt(stream, time) ?? Number.NaN,
      amps: stream.track('ChargingCurrent').before(time) ?? Number.NaN,
      speed: stream.track('Speed').before(time) ?? Number.NaN,
      drives: drivesAt(stream, time),
      silences: packs
        .map((heard) => time - (lastUpTo(heard, time)?.time ?? Number.NEGATIVE_INFINITY))
        .filter((silence) => silence <= DAY),
      metres: here?.time === time && left ? greatCircle(left, here) / 1000 : Number.NaN,
      scatter: Math.min(150, Math.max(30, 0.75 * (hourBefore(away, time)?.scatter ?? 0))),
    };
  });
}

/** Of what is in order of time: how many lie at or before `time`. */
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

type Judgement = 'bad' | 'clear' | 'between';

/** The table of section 2: whether a moment is bad, and whether it is clear. */
const TABLE: Readonly<
  Record<JudgedKind, (moment: Moment, threshold: number, clear: number) => [boolean, boolean]>
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
    silences.some((ms) => ms >= threshold * MINUTE) && silences.some((ms) => ms <= FIVE_MINUTES),
    silences.length > 0 && silences.every((ms) => ms <= FIVE_MINUTES),
  ],
  speeding: ({ speed, drives }, threshold, clear) => [
    speed > threshold && drives,
    speed < clear || (!Number.isNaN(speed) && !drives),
  ],
  moved: ({ isWork, metres, scatter }, threshold) => [!isWork && metres > threshold + scatter, isWork],
};

function judge({ kind, settings, inWorkOnly }: WatchedRule, moment: Moment): Judgement {
  const { threshold = Number.NaN, clear = Number.NaN } = settings;
  const [isBad, isClear] = TABLE[kind as JudgedKind](moment, threshold, clear);
  if (isBad) return inWorkOnly && !moment.isWork ? 'between' : 'bad';
  return isClear ? 'clear' : 'between';
}

type Judged = { readonly time: number; readonly judged: Judgement };

/** The times of readings that follow each other without a gap and are all judged so. */
function runsOf(readings: readonly Judged[], wanted: Judgement): number[][] {
  const isCut = ({ time, judged }: Judged, before: Judged | undefined): boolean =>
    before?.judged !== judged || time - before.time > FIVE_MINUTES;
  const cuts = readings.flatMap((reading, n) => (isCut(reading, readings[n - 1]) ? [n] : []));
  return cuts
    .map((start, n) => readings.slice(start, cuts[n + 1]))
    .filter(([first]) => first?.judged === wanted)
    .map((run) => run.map(({ time }) => time));
}

function episodesOf(rule: WatchedRule, moments: readonly Moment[]): OracleEpisode[] {
  const { key, from, settings } = rule;
  const hold = Math.max(settings.hold ?? 0, rule.kind === 'moved' ? 2 : 0) * MINUTE;
  const clearHold = (settings.clearHold ?? 0) * MINUTE;
  const readings = moments
    .filter(({ time }) => time >= from)
    .map((moment) => ({ time: moment.time, judged: judge(rule, moment) }));
  const openings = runsOf(readings, 'bad').flatMap(([since = 0, ...others]) => {
    const at = others.find((time) => time - since >= hold);
    return at === undefined ? [] : [{ since, at }];
  });
  const closings = runsOf(readings, 'clear').flatMap((run) => {
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

/** All of a whole course, in order of time. */
export function oracle(
  readings: readonly Reading[],
  { rules, isWorkTime }: Pick<WatchedMachine, 'rules' | 'isWorkTime'>,
): OracleEpisode[] {
  const moments = momentsOf(readings, isWorkTime);
  return rules.flatMap((rule) => episodesOf(rule, moments)).sort(inOrder);
}

export const inOrder = (a: OracleEpisode, b: OracleEpisode): number =>
  a.since - b.since || (a.key < b.key ? -1 : 1);
