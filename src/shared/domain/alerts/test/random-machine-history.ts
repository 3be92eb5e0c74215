import type { Reading, Signals } from '#shared/domain/signal.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import type { RuleSettings } from '../kinds/kind.ts';
import { type ConditionAlertKind, defaultSettings, isReadingKind, MACHINE_ALERT_KINDS } from '../kinds.ts';
import type { WatchedMachine, WatchedRule } from '../watch.ts';

/**
 * One or two random days of a machine. The conditions of all kinds begin and end, also at the exact thresholds,
 * flap, and are interrupted by gaps, by hours with only positions and by packs that become silent.
 */
export type RandomMachineHistory = {
  readonly seed: number;
  readonly readings: readonly Reading[];
  readonly machine: WatchedMachine;
};

/** All kinds that readings evaluate except *charging*, which charging-events.test.ts covers. */
export const READING_KINDS = MACHINE_ALERT_KINDS.filter((kind): kind is ConditionAlertKind =>
  isReadingKind(kind),
);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Degrees; METRE is one metre along a meridian. */
const SITE = { LATITUDE: 52.09, LONGITUDE: 5.12 };
const METRE = 0.000_009;

/** Possible values of each signal, most of them near the thresholds. */
const LEVELS = [15, 18, 19, 19.9, 20, 20.1, 22, 24.9, 25, 26, 28, 30, 80, 98, 98.9, 99, 100] as const;
const NAMES = [['Soc1', 'SOC', 'SocDisp'], ['Soc2', 'soc2', 'Soc_2'], ['Soc3']] as const;
const SPEEDS = [0, 12, 41.9, 42, 44, 45, 45.1, 60] as const;
const AMPS = [-1, 0, 0.9, 1, 1.1, 40] as const;
const METRES = [0, 0, 20, 90, 140, 180, 600] as const;
const STEPS = [5 * SECOND, 20 * SECOND, MINUTE, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE] as const;
const GAPS = [5 * MINUTE, 5 * MINUTE + 1, 7 * MINUTE, HOUR, 5 * HOUR, 25 * HOUR] as const;

/** Parameters by which the readings of one interval of the random days are generated. */
type Mood = {
  readonly step: number;
  /** Probability that a signal changes from one reading to the next. */
  readonly change: number;
  /** Probability that a reading contains a signal. */
  readonly presence: number;
  readonly onlyPositions: boolean;
  readonly hasMotor: boolean;
  readonly packs: readonly boolean[];
};

const moodOf = (random: Random): Mood => ({
  step: random.pick(STEPS),
  change: random.pick([0.01, 0.05, 0.3, 0.9]),
  presence: random.pick([1, 1, 0.7, 0.3]),
  onlyPositions: random.chance(0.15),
  hasMotor: random.chance(0.2),
  packs: NAMES.map(() => random.chance(0.7)),
});

function drawn(random: Random, mood: Mood, last: Record<string, number>): Signals {
  const next = <const T extends number>(name: string, values: readonly [T, ...T[]]): number => {
    if (last[name] === undefined || random.chance(mood.change)) last[name] = random.pick(values);
    return last[name];
  };
  const north = next('metres', METRES);
  const position = { LATITUDE: SITE.LATITUDE + north * METRE, LONGITUDE: SITE.LONGITUDE };
  if (mood.onlyPositions) return position;
  const values: Record<string, number> = {};
  for (const [n, names] of NAMES.entries()) {
    if (!mood.packs[n]) continue;
    for (const name of names) {
      // Usually the machine sends a signal under its standard name, sometimes under another one, or under both.
      if (random.chance(name === names[0] ? 0.9 : 0.1)) values[name] = next(name, LEVELS);
    }
  }
  values.IsCharging = next('IsCharging', [0, 1]);
  if (random.chance(0.2)) values.IsCharging2 = next('IsCharging2', [0, 1, 2]);
  values.ChargingCurrent = next('ChargingCurrent', AMPS);
  values.Speed = next('Speed', SPEEDS);
  if (mood.hasMotor) values.MotorSpeed = next('MotorSpeed', [900, 900, 900, 0]);
  const said = Object.entries(values).filter(() => random.chance(mood.presence));
  return { ...Object.fromEntries(said), ...(random.chance(mood.presence) && position) };
}

function readingsOf(random: Random, from: number, to: number): Reading[] {
  const readings: Reading[] = [];
  const last: Record<string, number> = {};
  for (let time = from; time < to; ) {
    const mood = moodOf(random);
    for (let left = random.whole(3, 40); left > 0 && time < to; left--) {
      readings.push({ time, signals: drawn(random, mood, last) });
      // The interval is usually exactly `mood.step`, so that a reading can lie exactly at the end of a pending period.
      time += mood.step + (random.chance(0.1) ? random.whole(-2 * SECOND, 2 * SECOND) : 0);
    }
    if (random.chance(0.5)) time += random.pick(GAPS);
  }
  return readings;
}

/**
 * Returns a kind's default settings with pending periods of `minutes`; with 0, an alert also resolves at the
 * threshold at which it fires.
 */
function otherSettings(kind: ConditionAlertKind, minutes: number): RuleSettings {
  const usual = defaultSettings(kind);
  return {
    ...usual,
    ...(usual.clear !== undefined && minutes === 0 && { clear: usual.threshold }),
    ...(usual.hold !== undefined && { hold: minutes }),
    ...(usual.clearHold !== undefined && { clearHold: minutes }),
  };
}

/** Returns random readings with three rules of each kind: with default settings, without pending periods, and with long ones. */
export function createRandomMachineHistory(seed: number): RandomMachineHistory {
  const random = new Random(seed);
  const from = Date.UTC(2026, 10, 2) + random.whole(0, 7 * 24 * 60) * MINUTE;
  const to = from + random.whole(24, 48) * HOUR;
  const begin = random.whole(5, 9);
  const end = random.whole(12, 20);
  const rules = READING_KINDS.flatMap((kind) =>
    [defaultSettings(kind), otherSettings(kind, 0), otherSettings(kind, random.pick([7, 30]))].map(
      (settings, n): WatchedRule => ({
        key: `${kind} ${n}`,
        kind,
        settings,
        inWorkOnly: kind !== 'moved' && random.chance(0.3),
        from: random.chance(0.7) ? 0 : random.whole(from, to),
      }),
    ),
  );
  return {
    seed,
    readings: readingsOf(random, from, to),
    machine: {
      rules,
      batteries: [],
      ownedSince: 0,
      isWorkTime: (ms) => {
        const hour = new Date(ms).getUTCHours();
        return begin <= hour && hour < end;
      },
    },
  };
}
