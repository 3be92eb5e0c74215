/** Ticks after which the logger's counter, of 32 bits, starts again. */
const TURN = 2 ** 32;
/**
 * A record may lie so many ticks before the one before it (44 min 44 s at 10 us): records of several buses are interleaved.
 * A tick that is further back is one after the counter started again.
 */
const MOST_BACKWARDS = 2 ** 28;

/** Counts on where the logger's tick counter starts again, by uid. */
export class TickCounter {
  readonly #lastOfUid: Float64Array;
  /** Of the record before, whatever its uid. */
  #latest = Number.NaN;
  #first = Number.POSITIVE_INFINITY;

  /** @param uids how many there are: each is lower */
  constructor(uids: number) {
    this.#lastOfUid = new Float64Array(uids).fill(Number.NaN);
  }

  /** The lowest of the first ticks of all uids; undefined before there is one. */
  get first(): number | undefined {
    return this.#first === Number.POSITIVE_INFINITY ? undefined : this.#first;
  }

  /**
   * Returns the ticks since the counter was 0 before the first record. Records of other uids tell that the counter started
   * again while this one had none. Nothing tells it when no uid has a record for more than 11 hours (at 10 us).
   */
  count(uid: number, tick: number): number {
    const last = this.#lastOfUid[uid] as number;
    const isFirst = Number.isNaN(last);
    let ticks = near(isFirst ? this.#latest : last, tick);
    while (this.#latest - ticks > TURN - MOST_BACKWARDS) ticks += TURN;
    if (isFirst && ticks < this.#first) this.#first = ticks;
    this.#lastOfUid[uid] = ticks;
    this.#latest = ticks;
    return ticks;
  }
}

/** Returns the count that is `tick` modulo a turn, a little before `ticks` or after it. */
function near(ticks: number, tick: number): number {
  if (Number.isNaN(ticks)) return tick;
  const onwards = (tick - ticks) >>> 0;
  return ticks + (onwards >= TURN - MOST_BACKWARDS ? onwards - TURN : onwards);
}
