import type { Reading } from '#shared/domain/signal.ts';
import {
  type AcceptedDelivery,
  acceptDelivery,
  acceptedSignals,
  type ClockState,
  type Delivery,
  mergeAcceptedReadings,
} from './accept.ts';
import type { Place } from './path.ts';
import { FIVE_MINUTES_IN_MS, type Range } from './track.ts';

/**
 * Makes random machines from a seed, to compare the portal's figures with those of the oracle: their deliveries in order of arrival, the
 * readings that must be stored, and the owners. The same seed always gives the same machine.
 *
 * Values of one name at one instant are always equal, so that the order of arrival does not decide what is stored. Charging flags may
 * differ, because the largest one counts.
 */

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** Mulberry32: 32 bits of state, the same numbers everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a random number x with 0 <= x < 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Returns a random whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<const T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0];
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, key: this.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}

export type RandomMachineOptions = {
  /** Approximate number of readings; default 3,000. */
  readonly size?: number;
  /** Time of the first reading, ms since 1970; default: random in 2026, often shortly before midnight or a change of summer time. */
  readonly start?: number;
  /** Whether some clocks are before 2015 or ahead of reception; default true. */
  readonly wrongClocks?: boolean;
};

export type Ownership = Range & { readonly owner: number };

export type RandomMachine = {
  readonly seed: number;
  readonly logger: string;
  /** The deliveries in order of arrival; those of one batch arrive at once. */
  readonly batches: readonly (readonly Delivery[])[];
  /** The deliveries of all batches, one after the other. */
  readonly deliveries: readonly Delivery[];
  /** The accepted deliveries, in order of arrival. */
  readonly accepted: readonly AcceptedDelivery[];
  /** The readings that must be stored in the end, in order of time. */
  readonly stored: readonly Reading[];
  /** The successive owners of the machine, without a gap, owner 0 first. */
  readonly ownership: readonly Ownership[];
  /** The periods in which owner 0 has the machine. */
  readonly ownRanges: readonly Range[];
  /** The packs in the machine's record; sometimes one of them sends nothing. */
  readonly packs: readonly number[];
  /** Sites of the machine: most positions are in or near one of them. */
  readonly sites: readonly Site[];
  /** Ranges whose figures are tested: the whole history, and ranges that are cut at various moments. */
  readonly ranges: readonly Range[];
};

/** Silences around 5 min, the longest time for which a value holds. */
const AROUND_FIVE_MINUTES = [FIVE_MINUTES_IN_MS, FIVE_MINUTES_IN_MS + 1, FIVE_MINUTES_IN_MS - 1] as const;

/** A site that machines visit: a circle, in degrees and m. */
export type Site = Place & { readonly radius: number };

/** The location of the machine at a site from a moment on; 'edge': alternately inside and outside, mostly by less than 25 m. */
type Where = {
  readonly site: Site;
  readonly how: 'inside' | 'edge' | 'just outside' | 'away' | 'unseen';
};

type Activity = 'work' | 'park' | 'charge' | 'work on the cable' | 'plugged in';
const ACTIVITIES = ['work', 'work', 'park', 'charge', 'work on the cable', 'plugged in'] as const;

/** The activity of the machine from a moment on. */
type Phase = {
  readonly from: number;
  readonly activity: Activity;
  readonly soc: number;
  /** Power of the charger: 1 for full power, or a small part of it. */
  readonly strength: number;
  readonly where: Where;
};

/** Change of the charge level during each activity, % per hour. */
const RATES = { work: -15, park: 0, charge: 80, 'work on the cable': 20, 'plugged in': 0 } as const;

/** Returns the charge level at a time in a phase, %. */
const levelAt = ({ from, activity, soc, strength }: Phase, time: number): number => {
  const rate = activity === 'charge' ? RATES.charge * strength : RATES[activity];
  return Math.min(100, Math.max(5, soc + (rate * (time - from)) / HOUR));
};

/** Returns the share of full power that the charger gives: from 80 % on less and less. */
const taper = (level: number): number => Math.min(1, Math.max(0.03, (100 - level) / 20));

type Values = Readonly<Record<string, unknown>>;

/** Signals that are sent together. */
type Frame = {
  readonly file: string;
  /** Interval at which the signals are sent, ms. */
  readonly period: number;
  /** Whether the signals are sent only while the machine is plugged in, as by some chargers. */
  readonly isOnlyPluggedIn: boolean;
  readonly valuesAt: (time: number, phase: Phase) => Record<string, unknown>;
};

/**
 * Makes signals of five in six machines contradict each other: the battery current has the wrong sign while charging, the charger's signals
 * or Speed are missing, or two of these. Speed is nearly always 0 while such a machine does not work. Uses a random generator of its own,
 * so that all other values stay the same.
 */
function contradicted(frames: readonly Frame[], seed: number): readonly Frame[] {
  const random = new Random(seed * 7919);
  const kind = random.pick(['none', 'other sign', 'no charger', 'both', 'both', 'no speed']);
  if (kind === 'none') return frames;
  const hasOtherSign = kind === 'other sign' || kind === 'both';
  const isMissing = (name: string): boolean =>
    (kind === 'no speed' && name === 'Speed') ||
    ((kind === 'no charger' || (kind === 'both' && seed % 2 === 0)) && name.includes('Charging'));
  return frames.map((frame) => ({
    ...frame,
    valuesAt: (time, phase) => {
      const isStill = !phase.activity.startsWith('work');
      const entries = Object.entries(frame.valuesAt(time, phase)).flatMap(([name, value]) => {
        if (isMissing(name)) return [];
        if (name === 'Speed' && isStill) return [[name, random.chance(0.01) ? 1 : 0]];
        if (name === 'BatteryCurrent' && hasOtherSign && phase.activity === 'charge')
          return [[name, Math.abs(value as number)]];
        return [[name, value]];
      });
      return Object.fromEntries(entries.length > 0 ? entries : [['Uptime', Math.floor(time / SECOND) % 1e6]]);
    },
  }));
}

const FAST = [100, 500, 1_000, 2_000] as const;
const MEDIUM = [5_000, 10_000, 10_000, 20_000, 30_000] as const;
const STEADY = [10_000, 20_000, 30_000, 30_000, 59_000] as const;
const SLOW = [60_000, 120_000, 240_000, 300_000, 360_000] as const;
/** Signals with an interval of at least this, ms, are also sent while all faster signals pause. */
const GOES_ON_FROM = 60_000;
/** Signals with an interval below this, ms, are sent in bursts, because they would use up all readings otherwise. */
const BURSTS_BELOW = 5_000;

const tenths = (value: number): number => Math.round(value * 10) / 10;
const millionths = (value: number): number => Math.round(value * 1e6) / 1e6;

const METRES_PER_DEGREE = 111_195;

/** Returns a position `metres` from a site's middle, in a random direction. */
export function randomPositionNear(random: Random, { lat, lon }: Site, metres: number): Place {
  const angle = random.between(0, 2 * Math.PI);
  return {
    lat: lat + (metres * Math.sin(angle)) / METRES_PER_DEGREE,
    lon: lon + (metres * Math.cos(angle)) / METRES_PER_DEGREE / Math.cos((lat * Math.PI) / 180),
  };
}

/** Returns two or three sites near each other; some overlap. */
function sitesOf(random: Random): [Site, ...Site[]] {
  const lat = random.between(50.8, 53.4);
  const lon = random.between(3.5, 7.1);
  const first = { lat, lon, radius: random.between(40, 400) };
  return [
    first,
    ...Array.from({ length: random.whole(1, 2) }, () => {
      const radius = random.between(40, 400);
      return {
        ...randomPositionNear(random, first, random.between(0.4, 1.6) * (first.radius + radius)),
        radius,
      };
    }),
  ];
}

function placeIn(random: Random, { site, how }: Where): Place {
  if (how === 'away' || random.chance(0.02)) {
    return randomPositionNear(random, site, site.radius + random.between(100, 3000));
  }
  if (how === 'inside') return randomPositionNear(random, site, random.between(0, 0.95) * site.radius);
  if (how === 'just outside') return randomPositionNear(random, site, site.radius + random.between(26, 60));
  return randomPositionNear(random, site, site.radius + random.between(-20, random.pick([24, 24, 24, 40])));
}

/** Returns the frames of a machine. `isSteady`: all signals are sent in one file at one interval, so that few readings cover hours. */
function framesOf(random: Random, isNight: boolean): { frames: Frame[]; packs: number; isSteady: boolean } {
  const isSteady = random.chance(isNight ? 0.5 : 0.2);
  const pace = isSteady
    ? 'steady'
    : random.pick(['fast', 'medium', 'medium', 'slow', 'mixed', 'mixed', 'mixed']);
  const periods = {
    fast: FAST,
    medium: MEDIUM,
    slow: SLOW,
    steady: STEADY,
    mixed: [random.pick(FAST), ...MEDIUM, ...SLOW] as const,
  };
  const files = Array.from({ length: isSteady ? 1 : random.whole(1, 3) }, (_, n) => `snapshot-${n}.json`);
  // All frames of a file are sent at one interval, or each frame at its own.
  const periodOf = new Map(files.map((file) => [file, random.pick(periods[pace])]));
  const isByFile = isSteady || random.chance(0.4);
  const frames: Frame[] = [];
  const add = (valuesAt: Frame['valuesAt'], isOnlyPluggedIn = false): void => {
    const file = files[random.whole(0, files.length - 1)] ?? 'snapshot-0.json';
    const ownPeriod = random.pick(periods[pace]);
    const period = isByFile ? (periodOf.get(file) ?? ownPeriod) : ownPeriod;
    frames.push({ file, period, isOnlyPluggedIn, valuesAt });
  };

  if (random.chance(0.95)) {
    add((_, { activity }) => {
      if (!activity.startsWith('work')) return { MotorSpeed: random.pick([0, 0, 0, 150]) };
      return {
        MotorSpeed: random.chance(0.15) ? random.pick([0, 150, 151, -1500]) : random.whole(700, 1900),
      };
    });
  }

  const batteryCurrent = (time: number, phase: Phase): number => {
    const { activity, strength } = phase;
    if (random.chance(0.03)) return 0;
    if (activity === 'charge') return -random.between(5, 100) * strength * taper(levelAt(phase, time));
    if (activity === 'work on the cable') return random.between(-60, 20);
    if (activity === 'work') return random.chance(0.2) ? -random.between(1, 60) : random.between(1, 150);
    return random.chance(0.1) ? -random.between(0, 5) : random.between(0, 5);
  };
  const batteryVoltage = () => (random.chance(0.01) ? 0 : tenths(random.between(340, 420)));
  if (random.chance(0.85)) {
    const isOneFrame = random.chance(0.4);
    add((time, phase) => ({
      BatteryCurrent: tenths(batteryCurrent(time, phase)),
      ...(isOneFrame ? { BatteryVoltage: batteryVoltage() } : {}),
    }));
    if (!isOneFrame && random.chance(0.85)) add(() => ({ BatteryVoltage: batteryVoltage() }));
  }

  if (random.chance(0.9)) {
    const isSilent = random.chance(0.5);
    const flags = random.pick<readonly string[]>([
      ['IsCharging'],
      ['IsChargingAC', 'IsChargingDC'],
      ['IsCharging1', 'IsCharging2'],
    ]);
    const isPluggedIn = (activity: Activity) => !['work', 'park'].includes(activity);
    // The machine charges by one of its charging flags; the flag of the other way of charging stays 0.
    const used = random.whole(0, flags.length - 1);
    const flag = (n: number, activity: Activity) =>
      n === used && isPluggedIn(activity) && !random.chance(0.02) ? 1 : 0;
    const current = (time: number, phase: Phase): number => {
      const { activity, strength } = phase;
      if (!isPluggedIn(activity)) return 0;
      if (activity === 'plugged in') return random.pick([0, 0.5, 1]);
      if (random.chance(0.03)) return 1;
      return tenths(Math.max(1.1, random.between(1.1, 120) * strength * taper(levelAt(phase, time))));
    };
    const voltage = () => (random.chance(0.01) ? 0 : tenths(random.between(340, 420)));
    const style = random.pick(['one frame', 'a frame each', 'flags apart']);
    if (style === 'one frame') {
      add(
        (time, phase) => ({
          ...Object.fromEntries(flags.map((name, n) => [name, flag(n, phase.activity)])),
          ChargingCurrent: current(time, phase),
          ChargingVoltage: voltage(),
        }),
        isSilent,
      );
    } else {
      for (const [n, name] of flags.entries()) {
        // If the charger is silent while it is not plugged in, so is its flag; the flag of the other charger is
        // silent then in half of the cases.
        add(
          (_, { activity }) => ({ [name]: flag(n, activity) }),
          isSilent && (n === used || random.chance(0.5)),
        );
      }
      const isOneFrame = style === 'flags apart';
      add(
        (time, phase) => ({
          ChargingCurrent: current(time, phase),
          ...(isOneFrame ? { ChargingVoltage: voltage() } : {}),
        }),
        isSilent,
      );
      if (!isOneFrame && random.chance(0.8)) add(() => ({ ChargingVoltage: voltage() }), isSilent);
    }
  }

  const packs = random.whole(1, 8);
  const spelling = random.pick(['Soc', 'soc', 'SOC']);
  const nameOf = (pack: number) => (packs === 1 && spelling === 'SOC' ? spelling : `${spelling}${pack}`);
  const socOf = (pack: number, level: number) =>
    random.chance(0.01) ? 100.5 : Math.min(100, Math.max(-0.5, tenths(level - (pack % 3) / 2)));
  const addPacks = (first: number, last: number, name: (pack: number) => string): void => {
    add((time, phase) => {
      const values: Record<string, number> = {};
      const level = levelAt(phase, time);
      for (let pack = first; pack <= last; pack++) values[name(pack)] = socOf(pack, level);
      return values;
    });
  };
  const split = random.chance(0.4) ? random.whole(1, packs) : packs;
  addPacks(1, split, nameOf);
  if (split < packs) addPacks(split + 1, packs, nameOf);
  if (random.chance(0.5)) {
    const second = random.pick(['SocDisp', 'Soc_bms_', 'SocAvg']);
    addPacks(1, random.whole(1, packs), (pack) => `${second}${pack}`);
  }
  // Sometimes a charge level is sent under a name that belongs to no pack.
  if (random.chance(0.2)) add(() => ({ [random.pick(['Soc9', 'Soc0', 'soc12'])]: random.whole(0, 100) }));

  if (random.chance(0.85)) {
    const hasSpeed = random.chance(0.5);
    /** Place at which the machine stands still while it does not work. */
    let stands: Place | undefined;
    let lastPhase = Number.NaN;
    add((_, { from, activity, where }) => {
      const speed = hasSpeed ? { Speed: tenths(random.between(0, 25)) } : {};
      if (where.how === 'unseen') return speed;
      const isMoving = stands === undefined || activity === 'work' || where.how === 'edge';
      const place = isMoving || from !== lastPhase ? placeIn(random, where) : stands;
      lastPhase = from;
      stands = place;
      const { lat, lon } = place ?? where.site;
      const noisy = (degrees: number) => millionths(degrees + random.between(-1e-6, 1e-6));
      return { LATITUDE: noisy(lat), LONGITUDE: noisy(lon), ...speed };
    });
    if (!hasSpeed && random.chance(0.7)) add(() => ({ Speed: tenths(random.between(0, 25)) }));
  }
  if (random.chance(0.3)) add(() => ({ Machinestatus: random.whole(0, 4) }));
  if (random.chance(0.3)) add(() => ({ OilTemperature: tenths(random.between(10, 80)) }));
  return { frames, packs, isSteady };
}

/** A frame that is sent at a moment. */
type Emission = { readonly time: number; readonly file: string; readonly values: Record<string, unknown> };

/** Pauses of about 10 min, the longest pause within one charging session. */
const AROUND_TEN_MINUTES = [600, 590, 610, 599, 601].map((seconds) => seconds * SECOND);

/** An activity and its duration, ms. */
type Part = { readonly activity: Activity; readonly lasts: number; readonly strength?: number };

function partsOf(random: Random, isSteady: boolean): Part[] {
  const activity = isSteady && random.chance(0.4) ? 'charge' : random.pick(ACTIVITIES);
  const short = () => random.whole(20 * SECOND, 4 * MINUTE);
  const long = () => random.between(4, 40) * MINUTE;
  if (activity !== 'charge' || random.chance(0.3)) {
    return [{ activity, lasts: random.chance(0.5) ? short() : long() }];
  }
  const strength = random.chance(0.3) ? 0.05 : 1;
  const charge = (): Part => ({ activity, lasts: random.pick([short, short, long])(), strength });
  const pause = (): Part => ({
    activity: random.pick<Activity>(['park', 'plugged in']),
    lasts: random.pick([short(), ...AROUND_TEN_MINUTES]),
  });
  const apart: Part = { activity: 'park', lasts: 12 * MINUTE };
  return random.chance(0.4)
    ? [apart, { ...charge(), lasts: short() }, apart]
    : [charge(), pause(), charge(), ...(random.chance(0.5) ? [pause(), charge()] : [])];
}

/** The start and end of the days of 23 and 25 hours in Amsterdam, and the moments at which the clock changes. */
const SUMMER_TIME_NIGHTS = [
  Date.UTC(2026, 2, 28, 23),
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 2, 29, 22),
  Date.UTC(2026, 9, 24, 22),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 25, 23),
] as const;
/** Ends of ordinary days in Amsterdam, without a change of daylight saving time. */
const EVENINGS = [Date.UTC(2026, 0, 20, 23), Date.UTC(2026, 5, 9, 22), Date.UTC(2026, 7, 31, 22)] as const;
/** Hours (UTC) at which days end and clocks change in Amsterdam. */
const SPECIAL_HOURS = [22, 23, 1];
const isOverSpecialHour = (from: number, to: number): boolean =>
  Math.floor(from / HOUR) < Math.floor(to / HOUR) && SPECIAL_HOURS.includes(Math.floor(to / HOUR) % 24);

const WAYS = ['inside', 'inside', 'inside', 'edge', 'just outside', 'away', 'unseen'] as const;

/** Returns the phases of the machine between two moments, each with the charge level at its start. */
function phasesOf(
  random: Random,
  sites: readonly [Site, ...Site[]],
  { from, to }: Range,
  before: { readonly soc: number; readonly where: Where },
  isSteady: boolean,
): Phase[] {
  const phases: Phase[] = [];
  let { soc, where } = before;
  let parts: Part[] = [];
  for (let at = from; at < to; ) {
    if (parts.length === 0) parts = partsOf(random, isSteady);
    const part = parts.shift() ?? { activity: 'park', lasts: MINUTE };
    const { activity: drawn, lasts, strength = 1 }: Part = part;
    const isNight = isOverSpecialHour(at, at + lasts) && random.chance(0.8);
    const activity: Activity = isNight ? 'charge' : drawn;
    if (random.chance(0.4)) where = { site: random.pick(sites), how: random.pick(WAYS) };
    const phase: Phase = { from: at, activity, soc, strength, where };
    phases.push(phase);
    soc = levelAt(phase, at + lasts);
    at += lasts;
  }
  return phases;
}

/** An interval in which the machine sends all signals, or only the slow ones; between two intervals it sends none. */
type Segment = { readonly from: number; readonly to: number; readonly isSlowOnly: boolean };

function emissionsOf(
  random: Random,
  frames: readonly Frame[],
  sites: readonly [Site, ...Site[]],
  size: number,
  start: number,
  isSteady: boolean,
): Emission[] {
  const rateOf = (list: readonly Frame[]) => list.reduce((sum, { period }) => sum + 1 / period, 0);
  const slow = frames.filter(({ period }) => period >= GOES_ON_FROM);
  const fast = frames.filter(({ period }) => period < GOES_ON_FROM);
  const burstShare = ({ period }: Frame) => Math.min(1, period / BURSTS_BELOW);
  const fastRate = fast.reduce((sum, frame) => sum + burstShare(frame) / frame.period, 0);
  // Approximate total times, ms: `fastTotal` of the intervals in which all signals are sent, `slowTotal` of those with the slow ones only.
  const fastTotal = fast.length === 0 ? 0 : (0.7 * size) / fastRate;
  const slowTotal =
    slow.length === 0 ? 0 : Math.min(4 * DAY, Math.max(fastTotal, (0.5 * size) / rateOf(slow)));

  const jitter = isSteady
    ? random.pick(['none', 'none', 'some'])
    : random.pick(['none', 'none', 'some', 'all']);
  const jittered = (time: number): number => {
    if (jitter === 'all') return time + random.whole(0, 40);
    return jitter === 'some' && random.chance(0.1) ? time + random.pick([-1, 1, 7]) : time;
  };

  const emissions: Emission[] = [];
  const times = new Set<number>();
  let soc = random.between(20, 100);
  let where: Where = { site: sites[0], how: 'inside' };

  const emit = ({ from, to, isSlowOnly }: Segment): number => {
    const phases = phasesOf(random, sites, { from, to }, { soc, where }, isSteady);
    soc = phases.at(-1)?.soc ?? soc;
    where = phases.at(-1)?.where ?? where;
    let last = from;
    for (const [n, frame] of frames.entries()) {
      const isFast = frame.period < GOES_ON_FROM;
      if (isSlowOnly && isFast) continue;
      // Frames start one after another, together, or late; sometimes a frame stops before the others.
      let at =
        from +
        (n === 0 || isSteady ? 0 : random.pick([0, 0, Math.floor((frame.period * n) / frames.length)]));
      if (random.chance(0.15)) at += random.pick([random.whole(0, 6 * MINUTE), ...AROUND_FIVE_MINUTES]);
      const end = random.chance(0.15) ? random.between(from, to) : to;
      let reached = 0;
      const share = burstShare(frame);
      let burst = share < 1 ? random.whole(5, 60) : Number.POSITIVE_INFINITY;
      let previous = Number.NEGATIVE_INFINITY;
      while (at < end) {
        while ((phases[reached + 1]?.from ?? Number.POSITIVE_INFINITY) <= at) reached++;
        const phase = phases[reached] ?? { from, activity: 'park', soc, strength: 1, where };
        const isPluggedIn = !['work', 'park'].includes(phase.activity);
        const time = jittered(Math.round(at));
        if ((isPluggedIn || !frame.isOnlyPluggedIn) && time > previous) {
          emissions.push({ time, file: frame.file, values: frame.valuesAt(time, phase) });
          times.add(time);
          previous = time;
          last = Math.max(last, time);
        }
        at += frame.period;
        burst--;
        if (burst <= 0) {
          burst = random.whole(5, 60);
          at += Math.round((burst * frame.period * (1 - share)) / share);
        }
        if (random.chance(isFast ? 0.004 : 0.03)) {
          const silence = random.chance(0.6)
            ? random.pick(AROUND_FIVE_MINUTES)
            : random.whole(MINUTE, 12 * MINUTE);
          at = previous > 0 ? previous + silence : at + silence;
        }
      }
    }
    return last;
  };

  for (let at = start; times.size < size && at - start < 6 * DAY; ) {
    const isSlowOnly = fast.length === 0 || (slow.length > 0 && random.chance(0.4));
    const total = isSlowOnly ? Math.min(slowTotal, 4 * fastTotal || slowTotal) : fastTotal;
    const lasts = isSteady
      ? Math.min(random.between(1, 6) * HOUR, (size * (fast[0]?.period ?? SECOND)) / 3)
      : Math.max(isSlowOnly ? 20 * MINUTE : 2 * MINUTE, total * random.between(0.03, 0.25));
    const last = emit({ from: at, to: at + lasts, isSlowOnly });
    at =
      last +
      random.pick([
        ...AROUND_FIVE_MINUTES,
        random.whole(SECOND, 5 * MINUTE),
        random.whole(5 * MINUTE, 20 * MINUTE),
        random.whole(20 * MINUTE, 3 * HOUR),
      ]);
    // Times are rounded to whole seconds again, so that values of different signals are often exactly 5:00.000 apart.
    if (random.chance(0.3)) at = Math.ceil(at / SECOND) * SECOND;
  }
  return emissions.sort((a, b) => a.time - b.time);
}

/** Returns an impossible value of a signal, which must be refused. */
export function randomRefusedValue(random: Random, name: string): unknown {
  if (random.chance(0.3)) return random.pick([null, 'n/a', 1e308, -1e307]);
  if (/^soc/i.test(name)) return random.pick([127.5, 101.6, -1.5]);
  if (name.endsWith('Voltage')) return random.pick([3276.75, -0.1]);
  if (name.endsWith('Current')) return random.pick([3276.7, -3200]);
  if (name === 'MotorSpeed') return 32_767.5;
  if (name === 'Speed') return random.pick([655.35, -400.1]);
  if (name === 'LATITUDE') return random.pick([0, 90.1]);
  if (name === 'LONGITUDE') return random.pick([0, -180.1]);
  return 4_294_967_295;
}

/** Signals that are sent together at one instant, by one file. */
type Sent = { readonly time: number; readonly file: string; readonly values: Values };

/** Puts emissions of one instant and file into one delivery or several, sometimes with a wrong value or some values sent twice. */
function sentOf(random: Random, emissions: readonly Emission[]): Sent[] {
  const files = [...new Set(emissions.map(({ file }) => file))];
  const sent: Sent[] = [];
  const add = (time: number, file: string, values: Values): void => {
    // Adds Uptime if no other value is accepted: without a value it would be ambiguous whether there was a reading.
    const isEmpty = Object.keys(acceptedSignals(values).signals).length === 0;
    sent.push({
      time,
      file,
      values: isEmpty ? { ...values, Uptime: Math.floor(time / SECOND) % 1e6 } : values,
    });
  };
  for (const [n, { time, file, values }] of emissions.entries()) {
    if (random.chance(0.02)) {
      const names = random.shuffled(Object.keys(values));
      for (const name of names.slice(0, random.whole(1, names.length)))
        values[name] = randomRefusedValue(random, name);
    }
    const hasPosition = 'LATITUDE' in values && 'LONGITUDE' in values;
    if (hasPosition && random.chance(0.03)) {
      const { LATITUDE, ...others } = values;
      add(time, file, others);
      // The other coordinate is missing, or is sent at the same instant in another delivery: neither makes a position.
      if (random.chance(0.5)) add(time, file, { LATITUDE });
    } else {
      const previous = sent.at(-1);
      const before = emissions[n - 1];
      const isTogether = before?.time === time && before.file === file && previous?.time === time;
      if (isTogether && previous !== undefined && random.chance(0.7)) {
        sent.pop();
        add(time, file, { ...previous.values, ...values });
      } else add(time, file, values);
    }
    // A part of the values is sent again, by any of the files.
    if (random.chance(0.02)) {
      const names = random.shuffled(Object.keys(values)).slice(0, random.whole(1, 3));
      const other = files[random.whole(0, files.length - 1)] ?? file;
      // Coordinates are left out: one alone makes no position, and the pair may have been refused before.
      const kept = names.filter((name) => name !== 'LATITUDE' && name !== 'LONGITUDE');
      add(time, other, Object.fromEntries(kept.map((name) => [name, values[name]])));
    }
    const flag = Object.keys(values).find((name) => name.startsWith('IsCharging'));
    if (flag !== undefined && random.chance(0.01)) add(time, file, { [flag]: random.whole(0, 1) });
  }
  return sent;
}

/** Returns the clocks of a snapshot, which all have the same time. */
function clocksAt(random: Random, time: number): Record<string, unknown> {
  const seconds = time / 1000;
  if (random.chance(0.8)) return { GMT_UNIX: seconds };
  return random.pick<Record<string, unknown>>([
    { GMT_UNIX: seconds, DATETIME: seconds, RTC_UNIX: seconds },
    { GMT_UNIX: 0, RTC_UNIX: seconds },
    { DATETIME: seconds },
    { GMT_UNIX: null, DATETIME: 0, RTC_UNIX: seconds },
  ]);
}

function batchesOf(
  random: Random,
  logger: string,
  sent: readonly Sent[],
  wrongClocks: boolean,
): Delivery[][] {
  const first = sent[0]?.time ?? 0;
  const last = sent.at(-1)?.time ?? 0;
  const window = (): Range => {
    const from = random.between(first, last);
    return { from, to: from + random.between(0.02, 0.15) * (last - first) };
  };
  const offline = Array.from({ length: random.whole(0, 3) }, window);
  // For some time the clock runs ahead, by less than the limit from which readings are refused.
  const ahead = wrongClocks && random.chance(0.4) ? window() : undefined;
  // Longest usual delay of a delivery, ms. With 60, most deliveries arrive in the order in which they were sent.
  const slowest = random.pick([60, 60, 3000]);
  const aheadBy = random.whole(MINUTE, 590 * SECOND);

  const deliveries = sent.flatMap(({ time, file, values }) => {
    const isAhead = ahead !== undefined && ahead.from <= time && time < ahead.to;
    let received = time + random.whole(50, slowest) - (isAhead ? aheadBy : 0);
    for (const { from, to } of offline) {
      if (from <= received && received < to) received = Math.ceil(to);
    }
    if (random.chance(0.02)) received += random.whole(MINUTE, 6 * HOUR);
    const signals = { ...clocksAt(random, time), ...values };
    const all: Delivery[] = [{ logger, file, received, signals }];
    if (random.chance(0.02)) {
      all.push({ logger, file, received: received + random.whole(SECOND, 6 * HOUR), signals });
    }
    if (wrongClocks && random.chance(0.003)) {
      const wrong = random.pick([received + 600_001 + random.whole(0, DAY), Date.UTC(2014, 11, 31), -1]);
      all.push({ logger, file, received, signals: { GMT_UNIX: wrong / 1000, ...values } });
    }
    return all;
  });
  deliveries.sort((a, b) => a.received - b.received);

  const batches: Delivery[][] = [];
  for (const delivery of deliveries) {
    const open = batches.at(-1);
    if (open !== undefined && (open[0]?.received === delivery.received || random.chance(0.05)))
      open.push(delivery);
    else batches.push([delivery]);
  }
  return batches.map((batch) => {
    const received = batch.at(-1)?.received ?? 0;
    const together = batch.map((delivery) => ({ ...delivery, received }));
    return random.chance(0.2) ? random.shuffled(together) : together;
  });
}

/**
 * Returns a moment at which a range may begin or end: any moment, at a reading or 1 ms after it, or at the
 * start of a bucket.
 */
export function randomRangeBoundary(random: Random, stored: readonly Reading[]): number {
  const time = stored[random.whole(0, stored.length - 1)]?.time ?? 0;
  return random.pick([
    time,
    time + 1,
    time + random.whole(-5 * MINUTE, 5 * MINUTE),
    Math.round(time / FIVE_MINUTES_IN_MS) * FIVE_MINUTES_IN_MS,
  ]);
}

function ownershipOf(random: Random, stored: readonly Reading[], from: number, to: number): Ownership[] {
  const cuts: number[] = [];
  for (let left = random.whole(0, 3); left > 0; left--) {
    const cut = randomRangeBoundary(random, stored);
    cuts.push(cut);
    // Sometimes the machine has its next change of owner within ten minutes.
    if (random.chance(0.3)) cuts.push(cut + random.whole(1, 10 * MINUTE));
  }
  const inside = [...new Set(cuts)].filter((cut) => from < cut && cut < to).sort((a, b) => a - b);
  const borders = [from, ...inside, to];
  return borders
    .slice(1)
    .map((end, n) => ({ owner: n % 2 === 0 ? 0 : random.whole(1, 2), from: borders[n] ?? from, to: end }));
}

/** Returns what deliveries add to the stored readings. @param deliveries in order of arrival */
export function acceptDeliveries(
  deliveries: readonly Delivery[],
): Pick<RandomMachine, 'accepted' | 'stored'> {
  const state: ClockState = new Map();
  const accepted = deliveries
    .map((delivery) => acceptDelivery(delivery, state))
    .filter((result): result is AcceptedDelivery => 'reading' in result);
  return { accepted, stored: mergeAcceptedReadings(accepted.map(({ reading }) => reading)) };
}

export function randomMachine(seed: number, options: RandomMachineOptions = {}): RandomMachine {
  const { size = 3000, wrongClocks = true } = options;
  const random = new Random(seed);
  const isNight = random.chance(0.6);
  const drawnStart = isNight
    ? random.pick(random.chance(0.6) ? SUMMER_TIME_NIGHTS : EVENINGS) - random.whole(0, 2 * HOUR)
    : Date.UTC(2026, 0, 5) + random.whole(0, 300 * DAY);
  const start = options.start ?? (random.chance(0.5) ? Math.floor(drawnStart / SECOND) * SECOND : drawnStart);
  const sites = sitesOf(random);
  const { frames: drawn, packs, isSteady } = framesOf(random, isNight);
  const frames = contradicted(drawn, seed);
  const logger = String(3_000_000 + (seed % 1_000_000));
  const sent = sentOf(random, emissionsOf(random, frames, sites, size, start, isSteady));
  const batches = batchesOf(random, logger, sent, wrongClocks);
  const deliveries = batches.flat();

  const { accepted, stored } = acceptDeliveries(deliveries);

  const from = (stored[0]?.time ?? start) - HOUR;
  const to = (stored.at(-1)?.time ?? start) + HOUR;
  const ownership = ownershipOf(random, stored, from, to);
  const ranges = Array.from({ length: 8 }, () => [
    randomRangeBoundary(random, stored),
    randomRangeBoundary(random, stored),
  ]).flatMap(([a = 0, b = 0]) => (a === b ? [] : [{ from: Math.min(a, b), to: Math.max(a, b) }]));
  const silent = packs < 8 && random.chance(0.15) ? 1 : 0;
  return {
    seed,
    logger,
    batches,
    deliveries,
    accepted,
    stored,
    ownership,
    ownRanges: ownership
      .filter(({ owner }) => owner === 0)
      .map((ownRange) => ({ from: ownRange.from, to: ownRange.to })),
    packs: Array.from({ length: packs + silent }, (_, n) => n + 1),
    sites,
    ranges: [{ from, to }, ...ranges],
  };
}

/** The type of the environment variables: declared here, because shared code does not have the types of Node. */
type WithEnvironment = { readonly process?: { readonly env: Readonly<Record<string, string | undefined>> } };

const firstSeeds = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Seeds from 1 to 20, or to ORACLE_SEEDS, which `npm run test:all` sets. */
export const ORACLE_SEED_NUMBERS = firstSeeds(
  Number((globalThis as WithEnvironment).process?.env.ORACLE_SEEDS ?? 20),
);

/** Returns the seeds 1 to `many` when ORACLE_SEEDS is above 20, as in `npm run test:all`, and otherwise `few`. */
export const chooseSeeds = (few: readonly number[], many: number): readonly number[] =>
  ORACLE_SEED_NUMBERS.length > 20 ? firstSeeds(many) : few;
