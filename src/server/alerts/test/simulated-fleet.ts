import { createRandomMachineHistory } from '#shared/domain/alerts/test/random-machine-history.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';

/** Simulated readings of a month, and when each arrives. Times in ms. */

export type ReadingArrival = {
  readonly time: number;
  readonly streamId: number;
  readonly reading: Reading;
  /** Whether the reading had arrived before. */
  readonly isReplay: boolean;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const FLAPS_FOR = 2 * HOUR;

/**
 * Returns the readings of random days one after the other. During `rest` there are none, and right before it the machine reports once. In
 * the two hours from `flapsAt` on, values flap every second.
 */
export function simulatedReadings(
  seed: number,
  { from, to }: Range,
  rest: Range,
  flapsAt?: number,
): Reading[] {
  const random = new Random(seed);
  const readings = new Map<number, Reading>();
  const add = (reading: Reading): void => void readings.set(reading.time, reading);
  for (let begin = from + random.whole(1, 300) * MINUTE; begin < to; ) {
    const course = createRandomMachineHistory(random.whole(1, 1_000_000)).readings;
    const shift = begin - (course[0]?.time ?? 0);
    for (const { time, signals } of course) add({ time: time + shift, signals });
    begin = (course.at(-1)?.time ?? 0) + shift + random.whole(1, 400) * MINUTE;
  }
  if (flapsAt !== undefined)
    for (let time = flapsAt; time < flapsAt + FLAPS_FOR; time += SECOND) {
      const Soc1 = random.pick([15, 100]);
      const IsCharging = random.whole(0, 1);
      const Speed = random.pick([0, 45]);
      add({ time, signals: { Soc1, Soc2: 60, IsCharging, ChargingCurrent: 0, Speed } });
    }
  add({ time: rest.from - SECOND, signals: {} });
  return [...readings.values()]
    .filter(({ time }) => time < to && !(rest.from <= time && time < rest.to))
    .sort((a, b) => a.time - b.time);
}

/** Returns when readings arrive: most at once, 3 in 10 later, some after hours without a network, some twice. */
export function readingArrivalsOf(
  seed: number,
  streamId: number,
  readings: readonly Reading[],
): ReadingArrival[] {
  const random = new Random(seed);
  let offlineUntil = 0;
  return readings.flatMap((reading) => {
    if (random.chance(0.002)) offlineUntil = reading.time + random.whole(10, 600) * MINUTE;
    const late = random.chance(0.3) ? random.pick([1, 3, 20, 200]) * random.between(0, MINUTE) : 0;
    const time = Math.max(reading.time + late, offlineUntil);
    const again = random.chance(0.02) ? [time + random.whole(1, 600) * MINUTE] : [];
    return [time, ...again].map((at, n) => ({ time: at, streamId, reading, isReplay: n > 0 }));
  });
}

const IN_AMSTERDAM = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Amsterdam',
  hourCycle: 'h23',
  weekday: 'short',
  hour: 'numeric',
  day: 'numeric',
  month: 'numeric',
});

/** Monday to Friday from 7 to 17, except Easter Monday of 2027. */
export function isWorkTime(ms: number): boolean {
  const parts = new Map(IN_AMSTERDAM.formatToParts(ms).map(({ type, value }) => [type, value]));
  const isEaster = Number(parts.get('day')) === 29 && Number(parts.get('month')) === 3;
  const hour = Number(parts.get('hour'));
  return !isEaster && !['Sat', 'Sun'].includes(parts.get('weekday') ?? '') && hour >= 7 && hour < 17;
}

/** Returns the starts of shifts. */
export const shiftStartsIn = ({ from, to }: Range): number[] =>
  Array.from({ length: Math.ceil((to - from) / HOUR) }, (_, n) => (Math.ceil(from / HOUR) + n) * HOUR).filter(
    (hour) => isWorkTime(hour) && !isWorkTime(hour - HOUR),
  );
