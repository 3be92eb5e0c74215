import type { Delivery } from './accept.ts';
import { acceptDeliveries, Random, type RandomMachine, type Site } from './random-machine.ts';

/**
 * Makes a machine that sends all signals together at one interval and does one thing for a long time, so that one reading more or less
 * hardly changes a figure. Tests use it to measure how much faults change figures.
 */

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const METRES_PER_DEGREE = 111_195;

type Activity = 'work' | 'drive' | 'stand' | 'charge' | 'sleep';
/** Change of the charge level (% per hour) and battery current (A) during each activity. */
const RATES: Readonly<Record<Activity, number>> = { work: -12, drive: -15, stand: 0, charge: 40, sleep: 0 };
const AMPS: Readonly<Record<Activity, number>> = { work: 60, drive: 80, stand: 1, charge: -70, sleep: 0 };
/** Speed during each activity, m/s. */
const SPEEDS: Readonly<Record<Activity, number>> = { work: 1, drive: 4, stand: 0, charge: 0, sleep: 0 };
const SHIFT: readonly Activity[] = ['stand', 'work', 'drive', 'charge', 'sleep'];
/** Time between work and charging, because a braking motor feeds back for a minute (docs/figures.md section 2). */
const PLUGS_IN_AFTER_MS = 2 * MINUTE;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Returns the metres east of the first site's middle after `way` metres of driving to and fro on 4,800 m. */
const eastAfter = (way: number): number => 2400 - Math.abs((way % 9600) - 4800);

/** Returns the machine of a seed. */
export function steadyMachine(seed: number, size = 2000): RandomMachine {
  const random = new Random(seed + 2_000_000);
  const start = Date.UTC(2026, 0, 5) + random.whole(0, 300 * 24 * 60) * MINUTE;
  const middle = { lat: random.between(50.8, 53.4), lon: random.between(3.5, 7.1) };
  const periodMs = random.pick([10, 15, 20, 30]) * SECOND;
  const packs = Array.from({ length: random.whole(1, 3) }, (_, n) => n + 1);
  const [hasCharger, hasSpeed, hasRtc] = [random.chance(0.7), random.chance(0.7), random.chance(0.7)];
  const logger = String(3_000_000 + (seed % 1_000_000));
  const sent: Delivery[] = [];
  const parts = [...SHIFT, ...random.shuffled(SHIFT), ...random.shuffled(SHIFT)];
  const perPart = size / (0.8 * parts.length);
  let [time, level, way] = [start, random.between(45, 70), 0];
  for (const part of parts) {
    const isOn = part === 'work' || part === 'drive';
    const count = Math.round(perPart * random.between(0.7, 1.3));
    if (part === 'sleep') time += random.whole(10 * MINUTE, 2 * HOUR);
    for (let n = 0; n < count && part !== 'sleep'; n += 1, time += periodMs) {
      const activity = part === 'charge' && n * periodMs < PLUGS_IN_AFTER_MS ? 'stand' : part;
      const hours = periodMs / HOUR;
      level = Math.min(99.5, Math.max(12, level + RATES[activity] * hours));
      way += SPEEDS[activity] * (periodMs / SECOND);
      const noise = () => random.between(-1, 1);
      const amps = AMPS[activity] + (activity === 'stand' ? 0.5 : 10) * noise();
      const isCharging = activity === 'charge';
      const seconds = time / SECOND;
      const signals = {
        GMT_UNIX: seconds,
        ...(hasRtc && { RTC_UNIX: seconds }),
        MotorSpeed: isOn ? random.whole(900, 1500) : 0,
        BatteryCurrent: rounded(amps, 1),
        BatteryVoltage: rounded(400 + 3 * noise(), 1),
        ...(hasSpeed && { Speed: rounded(SPEEDS[activity] * 3.6, 1) }),
        ...(hasCharger && { IsCharging: isCharging ? 1 : 0, ChargingCurrent: isCharging ? 72 : 0 }),
        ...(hasCharger && { ChargingVoltage: 401 }),
        ...Object.fromEntries(packs.map((pack) => [`Soc${pack}`, rounded(level - pack / 4, 1)])),
        LATITUDE: rounded(middle.lat + noise() / METRES_PER_DEGREE, 6),
        LONGITUDE: rounded(middle.lon + (eastAfter(way) + noise()) / METRES_PER_DEGREE / 0.62, 6),
        QUALITY: 1,
        NUMBER_SATELLITES: random.whole(7, 12),
        OilTemperature: rounded(40 + 5 * noise(), 1),
      };
      sent.push({ logger, file: 'snapshot.json', received: time + 200, signals });
    }
  }
  const batches: Delivery[][] = [];
  for (let from = 0; from < sent.length; ) {
    const batch = sent.slice(from, from + random.whole(1, 40));
    const received = batch.at(-1)?.received ?? 0;
    batches.push(batch.map((delivery) => ({ ...delivery, received })));
    from += batch.length;
  }
  const deliveries = batches.flat();
  const all = { from: start - HOUR, to: time + HOUR };
  const site = (metres: number, radius: number): Site => ({
    lat: middle.lat,
    lon: middle.lon + metres / METRES_PER_DEGREE / 0.62,
    radius,
  });
  return {
    ...{ seed, logger, batches, deliveries, packs, ranges: [all] },
    ...acceptDeliveries(deliveries),
    ownership: [{ owner: 0, ...all }],
    ownRanges: [all],
    sites: [site(-1500, 900), site(1600, 700)],
  };
}
