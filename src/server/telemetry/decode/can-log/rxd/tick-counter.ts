/** The logger's 32-bit counter wraps around after this many ticks. */
const WRAP_TICKS = 2 ** 32;
/**
 * A record may be this many ticks older than the one before it (44 min 44 s at 10 us), because records of several buses
 * are interleaved. A larger step backwards means that the counter wrapped around.
 */
const MAX_BACKWARD_TICKS = 2 ** 28;

/** Unwraps the logger's tick counter, by uid. */
export class TickCounter {
  readonly #lastOfUid: Float64Array;
  /** Ticks of the previous record of any uid. */
  #latest = Number.NaN;
  #first = Number.POSITIVE_INFINITY;

  /** Creates the counter. @param uids all uids are below this number */
  constructor(uids: number) {
    this.#lastOfUid = new Float64Array(uids).fill(Number.NaN);
  }

  /** The lowest first tick of all uids; undefined before the first record. */
  get first(): number | undefined {
    return this.#first === Number.POSITIVE_INFINITY ? undefined : this.#first;
  }

  /**
   * Returns the unwrapped tick of a record: the number of ticks since the counter was last 0 before the first record. The records
   * of other uids correct a uid that was silent while the counter wrapped around. A wrap-around during a silence of all uids of
   * more than 11 hours (at 10 us) cannot be detected.
   */
  count(uid: number, tick: number): number {
    const last = this.#lastOfUid[uid] as number;
    const isFirst = Number.isNaN(last);
    let ticks = near(isFirst ? this.#latest : last, tick);
    while (this.#latest - ticks > WRAP_TICKS - MAX_BACKWARD_TICKS) ticks += WRAP_TICKS;
    if (isFirst && ticks < this.#first) this.#first = ticks;
    this.#lastOfUid[uid] = ticks;
    this.#latest = ticks;
    return ticks;
  }
}

/** Returns the number that equals `tick` modulo 2^32 and lies shortly before `ticks` or after it. */
function near(ticks: number, tick: number): number {
  if (Number.isNaN(ticks)) return tick;
  const onwards = (tick - ticks) >>> 0;
  return ticks + (onwards >= WRAP_TICKS - MAX_BACKWARD_TICKS ? onwards - WRAP_TICKS : onwards);
}
