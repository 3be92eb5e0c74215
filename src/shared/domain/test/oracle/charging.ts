import type { Reading } from '#shared/domain/signal.ts';
import { FULL_FROM_PERCENT } from './hours.ts';
import { meanSocAt } from './soc.ts';
import { FIVE_MINUTES_IN_MS, isChargingAt, ReadingStream } from './track.ts';

/** Finds charging events, about which the portal sends e-mails, as docs/figures.md section 10 defines. */

const TWO_MINUTES = 120_000;

/** A full charge can become full again only after the mean fell below this level, %. */
const NO_LONGER_FULL_BELOW = 94;

export type ChargingEvent = {
  readonly kind: 'started' | 'completed' | 'stopped';
  /** The first reading that shows the change, ms since 1970. */
  readonly time: number;
  /** The reading before `time` if the two are more than 5 min apart, so that the change happened between them. */
  readonly after: number | undefined;
  /** The reading at which the change has lasted 2 min, so that it counts. */
  readonly countedAt: number;
};

/** A reading with the state of the machine at its time, from values of at most 5 min ago. */
type Moment = {
  readonly time: number;
  /** The time of the reading before this one, if it is more than 5 min earlier. */
  readonly after: number | undefined;
  readonly isCharging: boolean;
  /** Mean level of all packs, %; undefined while that of a listed pack is unknown. */
  readonly mean: number | undefined;
};

function momentsOf(stream: ReadingStream, listed: readonly number[]): Moment[] {
  return stream.readings.map(({ time }, n) => {
    const previous = stream.readings[n - 1]?.time;
    const { mean, isOfAll } = meanSocAt(stream, time, listed);
    return {
      time,
      after: previous !== undefined && time - previous > FIVE_MINUTES_IN_MS ? previous : undefined,
      isCharging: isChargingAt(stream, time),
      mean: isOfAll ? mean : undefined,
    };
  });
}

const isFull = ({ mean }: Moment): boolean => mean !== undefined && mean >= FULL_FROM_PERCENT;

/** Returns the charging events of a machine. @param listed the packs in the machine's record */
export function chargingEvents(
  readings: readonly Reading[],
  listed: readonly number[] = [],
): readonly ChargingEvent[] {
  const moments = momentsOf(new ReadingStream(readings), listed);
  const [first] = moments;
  if (first === undefined) return [];
  const events: ChargingEvent[] = [];
  /** The last confirmed state. The first state of a stream is no event. */
  let isCharging = first.isCharging;
  /** Whether this charge has already had its 'completed' event, or was full when the stream began. */
  let saidFull = first.isCharging && isFull(first);
  /** The first reading of the present, unconfirmed change of state; undefined: no change is pending. */
  let change: Moment | undefined;
  /** The first reading of the present series with a mean of at least 99 % while charging. */
  let full: Moment | undefined;
  let lastCharging = first;

  for (const moment of moments) {
    const say = (kind: ChargingEvent['kind'], { time, after }: Moment): void => {
      events.push({ kind, time, after, countedAt: moment.time });
    };
    change = moment.isCharging === isCharging ? undefined : (change ?? moment);
    full = moment.isCharging && isFull(moment) ? (full ?? moment) : undefined;
    if (moment.isCharging) lastCharging = moment;

    if (change !== undefined && moment.time - change.time >= TWO_MINUTES) {
      isCharging = moment.isCharging;
      if (isCharging) {
        saidFull = false;
        say('started', change);
      } else if (!saidFull) say(isFull(lastCharging) ? 'completed' : 'stopped', change);
      change = undefined;
    }
    if (isCharging && moment.isCharging) {
      if (saidFull && moment.mean !== undefined && moment.mean < NO_LONGER_FULL_BELOW) saidFull = false;
      if (!saidFull && full !== undefined && moment.time - full.time >= TWO_MINUTES) {
        saidFull = true;
        say('completed', full);
      }
    }
  }
  return events;
}
