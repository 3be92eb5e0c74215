/** Compares the charge level of a machine with its counted energy, and finds the signal that seems wrong (docs/figures.md section 14). */
import { BUCKET_MS } from './intervals.ts';
import { formatDecimals } from './nl.ts';

/** The figures of a bucket of 5 minutes, ms and mJ. */
export type ComparedBucket = {
  /** Start, ms since 1970. */
  readonly start: number;
  readonly heardMs: number;
  /** Time in which `netMj` is known. */
  readonly knownMs: number;
  readonly runningMs: number;
  /** Time in which the charger's custom signals show that the machine charges. */
  readonly chargerMs: number;
  /** Energy out of the battery minus energy into the battery. */
  readonly netMj: number;
  /** Mean level of each pack, %, by pack number - 1. */
  readonly levels: readonly (number | undefined)[];
};

/** An hour: the change of the charge level, and the energy that flowed out of the battery in the hour. */
export type HourlyChange = {
  /** Start of the hour, ms since 1970. */
  readonly hour: number;
  readonly points: number;
  readonly kWh: number;
  readonly heardMs: number;
  readonly knownMs: number;
  readonly runningMs: number;
  readonly chargerMs: number;
};

export const CONTRADICTED_SIGNALS = ['BatteryCurrent', 'BatteryVoltage', 'Soc'] as const;
export type Contradiction = {
  /** The wrong signal; `Soc` stands for all charge levels. */
  readonly signal: (typeof CONTRADICTED_SIGNALS)[number];
  /** Factor that would correct the values; null: no usual factor fits. */
  readonly factor: number | null;
  /** Offset to add after the multiplication by `factor`. */
  readonly offset: number;
  /** Evidence: change of the charge level, percentage points. */
  readonly points: number;
  /** Evidence: energy out of the battery, kWh; negative: into the battery. */
  readonly kWh: number;
  /** Evidence: energy of that change by the entered capacities, kWh; only for a wrong scale. */
  readonly expectedKWh?: number | undefined;
};

const HOUR_MS = 3_600_000;
const MJ_PER_KWH = 3.6e9;
/** Percentage points in 5 minutes. A battery whose level changes faster was exchanged, or its level was corrected. */
const EXCHANGED_ABOVE = 15;
/** A bucket in which readings cover less than this share of its 5 minutes is ignored. */
const MOSTLY_RECEIVED = 0.75;
const MOSTLY_KNOWN = 0.9;
/** Percentage points. An hour with a smaller change is ignored. */
const MIN_STEP_PERCENTAGE_POINTS = 1;
/** Minimum sum of the changes of the charge level over all hours, in percentage points. A smaller sum is no evidence. */
const MIN_PERCENTAGE_POINTS = 10;
/** An hour with less energy is ignored. */
const MIN_KWH = 0.2;
/** Minimum share of these changes that must indicate the same fault. */
const MIN_AGREEING_SHARE = 0.8;
/** A scale counts as right if it is wrong by at most this factor, because packs age and a second charger may not be mapped. */
const MAX_SCALE_ERROR = 3;
const USUAL_FACTORS = [0.001, 0.01, 0.1, 0.5, 2, 10, 100, 1_000] as const;
/** A usual factor fits if the needed factor differs from it by at most this share. */
const FITS_WITHIN = 0.25;
/** Batteries of work machines have voltages between these two. */
const [LEAST_VOLTS, MOST_VOLTS] = [20, 1_000] as const;

/**
 * Returns per hour the sums over all pairs of successive buckets that have enough readings and known levels; hours without such a pair
 * are left out.
 * @param buckets in order of time
 */
export function hourlyChangesOf(buckets: readonly ComparedBucket[]): HourlyChange[] {
  const steps = new Map<number, HourlyChange>();
  for (const [n, bucket] of buckets.entries()) {
    const before = buckets[n - 1];
    if (!before || bucket.start - before.start !== BUCKET_MS) continue;
    const points = riseBetween(before.levels, bucket.levels);
    const isReceived = Math.min(before.heardMs, bucket.heardMs) >= MOSTLY_RECEIVED * BUCKET_MS;
    if (points === undefined || !isReceived || Math.abs(points) > EXCHANGED_ABOVE) continue;
    const hour = Math.floor(bucket.start / HOUR_MS) * HOUR_MS;
    const step = steps.get(hour) ?? {
      ...{ hour, points: 0, kWh: 0, heardMs: 0 },
      ...{ knownMs: 0, runningMs: 0, chargerMs: 0 },
    };
    // The mean levels stand for the middles of the two buckets, so half of each bucket belongs to the change between them.
    const half = (of: (one: ComparedBucket) => number): number => (of(before) + of(bucket)) / 2;
    steps.set(hour, {
      hour,
      points: step.points + points,
      kWh: step.kWh + half(({ netMj }) => netMj) / MJ_PER_KWH,
      heardMs: step.heardMs + half(({ heardMs }) => heardMs),
      knownMs: step.knownMs + half(({ knownMs }) => knownMs),
      runningMs: step.runningMs + half(({ runningMs }) => runningMs),
      chargerMs: step.chargerMs + half(({ chargerMs }) => chargerMs),
    });
  }
  return [...steps.values()];
}

/** Returns the rise of the packs' mean charge level, percentage points; undefined unless the same packs are known before and after. */
function riseBetween(before: ComparedBucket['levels'], after: ComparedBucket['levels']): number | undefined {
  let [sum, count] = [0, 0];
  for (let pack = 0; pack < Math.max(before.length, after.length); pack += 1) {
    const [from, to] = [before[pack], after[pack]];
    if ((from === undefined) !== (to === undefined)) return undefined;
    if (from === undefined || to === undefined) continue;
    sum += to - from;
    count += 1;
  }
  return count > 0 ? sum / count : undefined;
}

/** Returns whether the level changed in an hour without known energy, so that the readings have to be read. */
export const isEnergyUnknown = (step: HourlyChange): boolean => hasMoved(step) && !isByBattery(step);

const hasMoved = ({ points }: HourlyChange): boolean => Math.abs(points) >= MIN_STEP_PERCENTAGE_POINTS;
const isByBattery = ({ knownMs, heardMs }: HourlyChange): boolean => knownMs >= MOSTLY_KNOWN * heardMs;
const isByCharger = ({ chargerMs, heardMs }: HourlyChange): boolean => chargerMs >= MOSTLY_KNOWN * heardMs;
const runs = ({ runningMs, heardMs }: HourlyChange): boolean => runningMs >= MIN_AGREEING_SHARE * heardMs;

const pointsOf = (steps: readonly HourlyChange[]): number =>
  steps.reduce((sum, { points }) => sum + Math.abs(points), 0);

/** Returns whether the level changed enough in these hours to be evidence. */
export const isEnoughEvidence = (steps: readonly HourlyChange[]): boolean =>
  pointsOf(steps.filter(counts)) >= MIN_PERCENTAGE_POINTS;
const counts = (step: HourlyChange): boolean => hasMoved(step) && (isByBattery(step) || isByCharger(step));

/** Capacity and voltage of the machine's batteries. */
export type EnteredBattery = {
  /** kWh of all packs; undefined: not entered for each pack. */
  readonly capacityKwh: number | undefined;
  /** Mean BatteryVoltage; undefined: none was sent. */
  readonly volts: number | undefined;
};

/** Returns the signal that seems wrong; undefined: level and energy agree, or there is too little evidence. */
export function findContradiction(
  steps: readonly HourlyChange[],
  entered: EnteredBattery,
): Contradiction | undefined {
  const judged = steps.filter(counts);
  const least = MIN_AGREEING_SHARE * pointsOf(judged);
  const flowing = judged.filter(({ kWh }) => Math.abs(kWh) >= MIN_KWH);
  const against = flowing.filter(({ points, kWh }) => points > 0 === kWh > 0);
  const opposed = pointsOf(against);
  if (opposed >= MIN_PERCENTAGE_POINTS && opposed >= least) return wrongWay(against);
  const agreeing = flowing.filter((step) => !against.includes(step) && isByBattery(step));
  return pointsOf(agreeing) >= Math.max(MIN_PERCENTAGE_POINTS, least)
    ? wrongScale(agreeing, entered)
    : undefined;
}

/** Returns the wrong signal when the level rises while energy flows out, or the other way round. */
function wrongWay(against: readonly HourlyChange[]): Contradiction {
  // Charging must raise the level and work must lower it; the signal that does not is wrong.
  const expectedSign = (step: HourlyChange): number => (isByCharger(step) ? 1 : runs(step) ? -1 : 0);
  const ofLevel = pointsOf(against.filter((step) => step.points * expectedSign(step) < 0));
  const ofCurrent = pointsOf(against.filter((step) => step.points * expectedSign(step) > 0));
  const isLevel = ofLevel > ofCurrent;
  const up = against.filter(({ points }) => points > 0);
  const down = against.filter(({ points }) => points < 0);
  const evidence = pointsOf(up) >= pointsOf(down) ? up : down;
  const wrong = isLevel
    ? ({ signal: 'Soc', factor: -1, offset: 100 } as const)
    : ({ signal: 'BatteryCurrent', factor: -1, offset: 0 } as const);
  return { ...wrong, points: sumOf(evidence, 'points'), kWh: sumOf(evidence, 'kWh') };
}

const sumOf = (steps: readonly HourlyChange[], name: 'points' | 'kWh'): number =>
  steps.reduce((sum, step) => sum + step[name], 0);

/** Returns the signal with a wrong scale; undefined also without a voltage or capacity, from which the expected energy follows. */
function wrongScale(
  agreeing: readonly HourlyChange[],
  { capacityKwh, volts }: EnteredBattery,
): Contradiction | undefined {
  if (!capacityKwh || volts === undefined) return undefined;
  const up = agreeing.filter(({ points }) => points > 0);
  const down = agreeing.filter(({ points }) => points < 0);
  const evidence = pointsOf(up) >= pointsOf(down) ? up : down;
  const expectedKWh = (capacityKwh * pointsOf(evidence)) / 100;
  const needed = expectedKWh / Math.abs(sumOf(evidence, 'kWh'));
  if (needed <= MAX_SCALE_ERROR && needed >= 1 / MAX_SCALE_ERROR) return undefined;
  const isVoltage = Math.abs(volts) < LEAST_VOLTS || Math.abs(volts) > MOST_VOLTS;
  return {
    signal: isVoltage ? 'BatteryVoltage' : 'BatteryCurrent',
    factor: USUAL_FACTORS.find((one) => Math.abs(needed / one - 1) <= FITS_WITHIN) ?? null,
    offset: 0,
    points: sumOf(evidence, 'points'),
    kWh: sumOf(evidence, 'kWh'),
    expectedKWh,
  };
}

const WORDS: Readonly<Record<Contradiction['signal'], string>> = {
  BatteryCurrent: 'Accustroom',
  BatteryVoltage: 'Accuspanning',
  Soc: 'Laadtoestand',
};

const kWhText = (kWh: number): string =>
  `${formatDecimals(Math.abs(kWh), Math.abs(kWh) < 10 ? 1 : 0, 0)} kWh`;
const timesText = (times: number): string => formatDecimals(times, times < 10 ? 1 : 0, 0);

/** Returns 'ongeveer 5 keer te klein'. @param counted ratio to the expected value, used when no usual factor fits */
function factorText(factor: number | null, counted: number): string {
  const times = factor === null ? counted : 1 / factor;
  const size = times > 1 ? `${timesText(times)} keer te groot` : `${timesText(1 / times)} keer te klein`;
  return factor === null ? `ongeveer ${size}` : size;
}

const SHORT_WORDS: Readonly<Record<Contradiction['signal'], string>> = {
  BatteryCurrent: 'Stroom',
  BatteryVoltage: 'Spanning',
  Soc: 'Laadniveau',
};

/** Returns the contradiction for a narrow column: 'Stroom: verkeerd teken?' */
export function shortContradictionText({ signal, factor, kWh, expectedKWh }: Contradiction): string {
  const name = SHORT_WORDS[signal];
  if (signal === 'Soc') return `${name}: verkeerde kant op?`;
  if (expectedKWh === undefined) return `${name}: verkeerd teken?`;
  return `${name}: ${factorText(factor, Math.abs(kWh) / expectedKWh)}?`;
}

/** Returns 'Accustroom heeft vermoedelijk het verkeerde teken: de accu liep 29 % op terwijl 38 kWh werd afgenomen'. */
export function contradictionText({ signal, factor, points, kWh, expectedKWh }: Contradiction): string {
  const level = `de accu liep ${formatDecimals(Math.abs(points), 0)}% ${points > 0 ? 'op' : 'terug'}`;
  if (signal === 'Soc')
    return `${WORDS.Soc} loopt vermoedelijk de verkeerde kant op: ${level} terwijl ${kWhText(kWh)} werd ${kWh > 0 ? 'afgenomen' : 'geladen'}`;
  if (expectedKWh === undefined)
    return `${WORDS[signal]} heeft vermoedelijk het verkeerde teken: ${level} terwijl ${kWhText(kWh)} werd ${kWh > 0 ? 'afgenomen' : 'geladen'}`;
  return `${WORDS[signal]} is vermoedelijk ${factorText(factor, Math.abs(kWh) / expectedKWh)}: ${level}, ongeveer ${kWhText(expectedKWh)}, terwijl ${kWhText(kWh)} werd geteld`;
}
