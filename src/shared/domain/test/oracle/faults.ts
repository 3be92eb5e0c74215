import { type Delivery, deliveryTimeOf } from './accept.ts';
import { acceptDeliveries, Random, type RandomMachine, randomRefusedValue } from './random-machine.ts';
import { FIVE_MINUTES_IN_MS } from './track.ts';

/** Puts faults that real loggers have into 1 % of the deliveries and 1 % of the values of a machine. */

const SHARE = 0.01;
const MINUTE = 60_000;
const METRES_PER_DEGREE = 111_195;
const CLOCKS = ['GMT_UNIX', 'DATETIME', 'RTC_UNIX'] as const;

const isLevel = (name: string): boolean => /^soc[^.]*$/i.test(name);
const isAxis = (name: string): boolean => name === 'LATITUDE' || name === 'LONGITUDE';
const isClock = (name: string): boolean => CLOCKS.some((clock) => clock === name);

/** Returns a snapshot's time, ms, by its own clocks only; undefined: it has no valid clock. */
const timeOf = (delivery: Delivery): number | undefined => {
  const { time, clock } = deliveryTimeOf(delivery, new Map());
  const isStored =
    time !== undefined && time > Date.UTC(2015, 0, 1) && time <= delivery.received + 10 * MINUTE;
  return clock === undefined || !isStored ? undefined : time;
};

const withClocks = (delivery: Delivery, changed: (seconds: number) => unknown): Delivery => ({
  ...delivery,
  signals: Object.fromEntries(
    Object.entries(delivery.signals).map(([name, value]) =>
      isClock(name) && typeof value === 'number' && value !== 0 ? [name, changed(value)] : [name, value],
    ),
  ),
});

/**
 * Returns a function that sets back the clocks of a delivery: by the same number of seconds for all deliveries from a random time on, and
 * only to times that no other delivery has.
 */
function setBack(random: Random, deliveries: readonly Delivery[]): (delivery: Delivery) => Delivery {
  const times = new Set(deliveries.flatMap((delivery) => timeOf(delivery) ?? []));
  const list = [...times].sort((a, b) => a - b);
  const cut = list[random.whole(0, list.length - 1)] ?? 0;
  const later = list.filter((time) => time >= cut);
  const byMs = Array.from({ length: 50 }, () => random.whole(500, 15_000)).find((ms) =>
    later.every((time) => time - ms >= cut || !times.has(time - ms)),
  );
  return (delivery) =>
    byMs === undefined || (timeOf(delivery) ?? 0) < cut
      ? delivery
      : withClocks(delivery, (seconds) => Math.round(seconds * 1000 - byMs) / 1000);
}

const somewhere = (random: Random): Record<string, number> => ({
  LATITUDE: random.between(45, 50),
  LONGITUDE: random.between(8, 12),
});

/** Functions that return wrong values for a reading's position; undefined: every value of the reading becomes 0. */
const POSITION_FAULTS: readonly ((random: Random) => Record<string, number> | undefined)[] = [
  () => undefined,
  () => ({ LATITUDE: 0, LONGITUDE: 0 }),
  (random) =>
    random.pick<Record<string, number>>([
      { LATITUDE: -90, LONGITUDE: -180 },
      { LATITUDE: 90 },
      { LATITUDE: -210 },
    ]),
  () => ({ LATITUDE: 0.001, LONGITUDE: -0.002 }),
  (random) => ({ ...somewhere(random), QUALITY: 0 }),
  (random) => ({ ...somewhere(random), NUMBER_SATELLITES: 3 }),
  somewhere,
  somewhere,
];

/** Returns a function that draws once per key, and later returns the same for that key: deliveries of one instant have the same fault. */
function once<Drawn>(draw: (key: string) => Drawn): (key: string) => Drawn {
  const drawn = new Map<string, { readonly of: Drawn }>();
  return (key) => {
    const known = drawn.get(key) ?? { of: draw(key) };
    drawn.set(key, known);
    return known.of;
  };
}

/**
 * Draws random ten-minute drifts of a receiver. Returns a function that returns how far, in degrees, a drift
 * has moved the position to the north and east at a time.
 */
function wanderOf(random: Random, times: readonly number[]): (time: number) => Record<string, number> {
  const begun = times
    .filter(() => random.chance(SHARE / 20))
    .map((from) => ({ from, angle: random.between(0, 6) }));
  return (time) => {
    const { from, angle } = begun.findLast((one) => one.from <= time) ?? { from: -1, angle: 0 };
    const far = time - from > 10 * MINUTE ? 0 : 30 * Math.sin((Math.PI * (time - from)) / (10 * MINUTE));
    return {
      LATITUDE: (far * Math.sin(angle)) / METRES_PER_DEGREE,
      LONGITUDE: (far * Math.cos(angle)) / METRES_PER_DEGREE,
    };
  };
}

/** Returns a function that returns the values of a delivery with random faults. @param times of all deliveries, in order */
function valueFaults(random: Random, times: readonly number[]) {
  const wanders = wanderOf(random, times);
  const gap = (a: number | undefined, b: number | undefined): boolean =>
    a === undefined || b === undefined || b - a > FIVE_MINUTES_IN_MS;
  const ends = times.filter((time, n) => gap(times[n - 1], time) || gap(time, times[n + 1]));
  /** Times at which all charge levels are 0, as from a battery's controller that wakes up or falls asleep. */
  const sleepy = new Set(ends.filter(() => random.chance(0.5)));
  const atOnce = once(() =>
    random.chance(SHARE)
      ? { values: POSITION_FAULTS[random.whole(0, POSITION_FAULTS.length - 1)]?.(random) }
      : undefined,
  );
  const bad = once((key): unknown => {
    if (!random.chance(SHARE)) return undefined;
    const name = key.slice(key.indexOf(' ') + 1);
    if (isLevel(name) && random.chance(0.5)) return 0;
    return random.pick([Number.NaN, Number.POSITIVE_INFINITY, null, 'n/a', randomRefusedValue(random, name)]);
  });

  return (time: number, signals: Delivery['signals']): Record<string, unknown> => {
    const fault = atOnce(`${time}`);
    const isStill = !(Number(signals.MotorSpeed) > 150);
    const changed = Object.fromEntries(
      Object.entries(signals).map(([name, value]): [string, unknown] => {
        if (isClock(name)) return [name, value];
        if (fault && fault.values === undefined) return [name, 0];
        const found = isLevel(name) && sleepy.has(time) ? 0 : bad(`${time} ${name}`);
        const moved = isAxis(name) && isStill && Number(value) !== 0 ? wanders(time)[name] : undefined;
        return [name, found === undefined ? (moved ? Number(value) + moved : value) : found];
      }),
    );
    const hasPosition = Number.isFinite(changed.LATITUDE) && Number.isFinite(changed.LONGITUDE);
    return hasPosition ? { ...changed, ...fault?.values } : changed;
  };
}

const EPOCH_S = 1024 * 7 * 86_400;
/** Functions that return a wrong time of a clock for the right time, both in seconds since 1970. */
const WRONG_CLOCKS: readonly ((seconds: number) => number)[] = [
  (seconds) => Date.UTC(1980, 0, 6) / 1000 + (seconds % 86_400),
  (seconds) => seconds - EPOCH_S,
  (seconds) => Date.UTC(2080, 0, 1) / 1000 + (seconds % 86_400),
];

/** Returns the delivery, at random with one fault: missing, doubled, or with a wrong time in the first of its clocks. */
function deliveryFaults(random: Random, delivery: Delivery): Delivery[] {
  if (!random.chance(SHARE)) return [delivery];
  const kind = random.pick(['missing', 'doubled', 'clock', 'clock']);
  if (kind === 'missing') return [];
  if (kind === 'doubled') return [delivery, delivery];
  const first = CLOCKS.find((clock) => Number(delivery.signals[clock]) > 0) ?? 'GMT_UNIX';
  const wrong = WRONG_CLOCKS[random.whole(0, 2)]?.(Number(delivery.signals[first]));
  return [{ ...delivery, signals: { ...delivery.signals, [first]: wrong } }];
}

/** Returns the machine with faults in its deliveries; the same seed always gives the same faults. */
export function withDeliveryFaults(machine: RandomMachine): RandomMachine {
  const random = new Random(machine.seed + 3_000_000);
  const earlier = setBack(random, machine.deliveries);
  const batches = machine.batches.map((batch) => batch.map(earlier));
  const times = new Set(batches.flat().flatMap((delivery) => timeOf(delivery) ?? []));
  const valuesOf = valueFaults(
    random,
    [...times].sort((a, b) => a - b),
  );
  const faulty = batches.map((batch) =>
    batch.flatMap((delivery) => {
      const time = timeOf(delivery);
      const signals = time === undefined ? delivery.signals : valuesOf(time, delivery.signals);
      return time === undefined ? [delivery] : deliveryFaults(random, { ...delivery, signals });
    }),
  );
  const deliveries = faulty.flat();
  return { ...machine, batches: faulty, deliveries, ...acceptDeliveries(deliveries) };
}

/** Returns the machine with its batches in another order of arrival; `stored` is not changed. */
export function shuffleDeliveries(machine: RandomMachine): RandomMachine {
  const batches = new Random(machine.seed).shuffled(machine.batches);
  return { ...machine, batches, deliveries: batches.flat() };
}
