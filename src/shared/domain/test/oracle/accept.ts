import { type Reading, SIGNALS } from '#shared/domain/signal.ts';
import { isChargingFlagName, isKeptSignalName } from './track.ts';

/** Decides which values of a delivery are stored, and with which time, as docs/figures.md section 1 defines. */

/** The clocks that a snapshot may carry, in order of preference; seconds since 1970. They are no signals. */
const CLOCKS = ['GMT_UNIX', 'DATETIME', 'RTC_UNIX'] as const;
export type SnapshotClockName = (typeof CLOCKS)[number];

/** A JSON snapshot as it arrives. */
export type Delivery = {
  readonly logger: string;
  /** The name of the snapshot file. */
  readonly file: string;
  /** Ms since 1970. */
  readonly received: number;
  /** The values as in the JSON, clocks included. */
  readonly signals: Readonly<Record<string, unknown>>;
};

/** Seconds since 1970, of the clocks that are valid: finite and not 0. */
type Clocks = Readonly<Partial<Record<SnapshotClockName, number>>>;

type Seen = {
  readonly clocks: Clocks;
  readonly frozen: SnapshotClockName | undefined;
  readonly used: SnapshotClockName | undefined;
};

/** The last two deliveries by logger and file name, newest last; `deliveryTimeOf` updates this state, which starts empty. */
export type ClockState = Map<string, readonly Seen[]>;

export type DeliveryTime = {
  /** Ms since 1970; undefined without a valid clock. */
  readonly time: number | undefined;
  readonly clock: SnapshotClockName | undefined;
  /** The clock that would have been used but stands still; the logger's health reports it. */
  readonly frozen: SnapshotClockName | undefined;
  /** An invalid clock beside a valid one; the logger's health reports it. */
  readonly wrong: SnapshotClockName | undefined;
};

const EARLIEST = Date.UTC(2015, 0, 1);
const MAX_AHEAD = 600_000;

const timeBy = (clocks: Clocks, clock: SnapshotClockName | undefined): number | undefined => {
  const seconds = clock === undefined ? undefined : clocks[clock];
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};

const isAcceptable = (time: number | undefined, received: number): boolean =>
  time !== undefined && time >= EARLIEST && time <= received + MAX_AHEAD;

function clocksOf({ signals }: Delivery): Clocks {
  const clocks: Partial<Record<SnapshotClockName, number>> = {};
  for (const name of CLOCKS) {
    const value = signals[name];
    if (typeof value === 'number' && Number.isFinite(value) && value !== 0) clocks[name] = value;
  }
  return clocks;
}

/** Returns the values of one clock in three deliveries; undefined: not all three have it. */
function valuesOf(
  three: readonly Clocks[],
  clock: SnapshotClockName,
): readonly [number, number, number] | undefined {
  const [a, b, c] = three.map((clocks) => clocks[clock]);
  return a === undefined || b === undefined || c === undefined ? undefined : [a, b, c];
}

function standsStill(three: readonly Clocks[], clock: SnapshotClockName): boolean {
  const values = valuesOf(three, clock);
  return values !== undefined && values[0] === values[1] && values[1] === values[2];
}

function hasGrown(three: readonly Clocks[], clock: SnapshotClockName): boolean {
  const values = valuesOf(three, clock);
  return values !== undefined && values[0] <= values[1] && values[1] <= values[2] && values[0] < values[2];
}

/**
 * Returns the time of a snapshot; must be called in order of arrival. A delivery whose clocks all equal those of the delivery before it is
 * a repeated upload: its time comes from the clock that the delivery before it used, and the state stays as it is.
 */
export function deliveryTimeOf(delivery: Delivery, state: ClockState): DeliveryTime {
  const key = JSON.stringify([delivery.logger, delivery.file]);
  const earlier = state.get(key) ?? [];
  const clocks = clocksOf(delivery);
  const isGood = (clock: SnapshotClockName): boolean =>
    isAcceptable(timeBy(clocks, clock), delivery.received);
  const good = CLOCKS.find(isGood);
  const bad = CLOCKS.find((clock) => clocks[clock] !== undefined && !isGood(clock));
  const wrong = good === undefined ? undefined : bad;
  const last = earlier.at(-1);
  if (last !== undefined && CLOCKS.every((clock) => clocks[clock] === last.clocks[clock])) {
    return { time: timeBy(clocks, last.used), clock: last.used, frozen: last.frozen, wrong };
  }
  const first = CLOCKS.find((clock) => clocks[clock] !== undefined);
  const three = [...earlier.slice(-2).map((seen) => seen.clocks), clocks];
  const other =
    first !== undefined && standsStill(three, first)
      ? CLOCKS.find((clock) => hasGrown(three, clock) && isGood(clock))
      : undefined;
  const used = other ?? good ?? first;
  const frozen = other === undefined ? undefined : first;
  state.set(key, [...earlier.slice(-1), { clocks, frozen, used }]);
  return { time: timeBy(clocks, used), clock: used, frozen, wrong };
}

/** Returns the range of values that are stored for a signal, lowest and highest included; other values are refused. */
function limitsOf(name: string): readonly [number, number] {
  if (name === 'MotorSpeed') return [-30_000, 30_000];
  if (name === 'BatteryCurrent' || name === 'ChargingCurrent') return [-3_000, 3_000];
  if (name === 'BatteryVoltage' || name === 'ChargingVoltage') return [0, 2_000];
  if (name === 'Speed') return [-400, 400];
  if (/^soc/i.test(name) && !isKeptSignalName(name)) return [-1, 101];
  return [-1e6, 1e6];
}

/** Returns the value to store, 0 for an absolute value below 1e-9; undefined for a refused value. */
export function acceptedValue(name: string, sent: unknown): number | undefined {
  if (typeof sent !== 'number' || !Number.isFinite(sent)) return undefined;
  const value = Math.abs(sent) < 1e-9 ? 0 : sent;
  const [lowest, highest] = limitsOf(name);
  return value < lowest || value > highest ? undefined : value;
}

/**
 * Returns whether both coordinates exist, neither is 0 (as a receiver without a fix sends), and the position is not at a pole or the date
 * line.
 */
const isPosition = ({ LATITUDE = 0, LONGITUDE = 0 }: Readonly<Record<string, number>>): boolean =>
  LATITUDE !== 0 && LONGITUDE !== 0 && Math.abs(LATITUDE) < 90 && Math.abs(LONGITUDE) < 180;

/**
 * Returns the values to store from the values that were sent together, and the names of the refused values
 * other than positions.
 */
export function acceptedSignals(sent: Readonly<Record<string, unknown>>): {
  signals: Record<string, number>;
  refused: string[];
} {
  const signals: Record<string, number> = {};
  const refused: string[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const accepted = acceptedValue(name, value);
    if (accepted === undefined) refused.push(name);
    else signals[name] = accepted;
  }
  // A position has two coordinates: a single coordinate is not stored.
  if (!isPosition(signals)) for (const axis of ['LATITUDE', 'LONGITUDE']) delete signals[axis];
  return { signals, refused };
}

export type AcceptedDelivery = DeliveryTime & {
  readonly reading: Reading;
  /** Ms since 1970. */
  readonly received: number;
  /** Names of the values that were refused. */
  readonly refused: readonly string[];
};

/** Why a delivery goes to quarantine, or cannot be placed in time at all. */
export type DeliveryRefusal = { readonly refusal: 'no clock' | 'before 2015' | 'more than 10 min ahead' };

/** Returns what a delivery adds to the stored readings, or why it adds nothing. Must be called in order of arrival. */
export function acceptDelivery(delivery: Delivery, state: ClockState): AcceptedDelivery | DeliveryRefusal {
  const timeOf = deliveryTimeOf(delivery, state);
  const { time } = timeOf;
  if (time === undefined) return { refusal: 'no clock' };
  if (time < EARLIEST) return { refusal: 'before 2015' };
  if (!isAcceptable(time, delivery.received)) return { refusal: 'more than 10 min ahead' };
  const clocks: readonly string[] = CLOCKS;
  // A clock that is no number is refused like any other value.
  const sent = Object.entries(delivery.signals).filter(
    ([name, value]) => !clocks.includes(name) || !Number.isFinite(value),
  );
  const { signals, refused } = acceptedSignals(Object.fromEntries(sent));
  return { ...timeOf, reading: { time, signals }, received: delivery.received, refused };
}

/** Merges the signals of one instant: existing values stay, new names are added, and a charging flag becomes the larger of the two. */
export function mergeSignals(
  there: Readonly<Record<string, number>>,
  added: Readonly<Record<string, number>>,
): Record<string, number> {
  const merged: Record<string, number> = { ...there };
  for (const [name, value] of Object.entries(added)) {
    const existing = merged[name];
    // A reading has both coordinates or none, so merging by name keeps the first position whole.
    if (existing === undefined) merged[name] = value;
    else if (isChargingFlagName(name)) merged[name] = Math.max(existing, value);
  }
  return merged;
}

/** Returns the stored readings, in order of time, that follow from accepted readings in order of arrival. */
export function mergeAcceptedReadings(accepted: readonly Reading[]): Reading[] {
  const stored = new Map<number, Record<string, number>>();
  for (const { time, signals } of accepted) stored.set(time, mergeSignals(stored.get(time) ?? {}, signals));
  return [...stored].map(([time, signals]) => ({ time, signals })).sort((a, b) => a.time - b.time);
}

/** A decoded line of a log file; time in ms since 1970. */
export type LogLine = { readonly time: number; readonly signals: Readonly<Record<string, unknown>> };

/**
 * Returns one reading per second: for each signal the value with the latest time in the second; at equal times,
 * the value that comes later in the file.
 */
export function readingsOfLog(lines: readonly LogLine[]): Reading[] {
  const seconds = new Map<number, Record<string, { time: number; value: number }>>();
  for (const { time, signals } of lines) {
    const second = Math.floor(time / 1000) * 1000;
    const values = seconds.get(second) ?? {};
    seconds.set(second, values);
    for (const [name, sent] of Object.entries(signals)) {
      const value = acceptedValue(name, sent);
      const earlier = values[name];
      // A refused value counts as not sent, so that an earlier accepted value stays.
      if (value !== undefined && (earlier === undefined || time >= earlier.time))
        values[name] = { time, value };
    }
  }
  return [...seconds]
    .map(([time, values]) => ({
      time,
      signals: acceptedSignals(
        Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])),
      ).signals,
    }))
    .sort((a, b) => a.time - b.time);
}

/** Returns the name under which a kept signal is stored; its message is put before a name that figures use, so that it feeds no figure. */
export function keptSignalName(message: string, signal: string): string {
  const isOurs = SIGNALS.some(({ name }) => name === signal);
  return isOurs || /^soc/i.test(signal) || signal.startsWith('IsCharging') ? `${message}.${signal}` : signal;
}
