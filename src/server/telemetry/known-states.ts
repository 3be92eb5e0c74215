import type { StreamState } from './stream-change.ts';

/** Of 20 signals per stream those of 20,000 streams, some 30 MB. */
const MOST_SIGNALS = 400_000;

type Known = {
  readonly state: StreamState;
  /** How many signals it has. */
  readonly signals: number;
  /** The row had another writer when it was last read: it is read again before the next change. */
  readonly isShared: boolean;
};

/**
 * What this process has committed of the streams' rows of `latest`, so that a group need not read them again. Whether
 * they still are so is for store_readings() to say, by their `xmin`.
 */
export class KnownStates {
  readonly #states = new Map<number, Known>();
  readonly #most: number;
  #signals = 0;

  constructor(most = MOST_SIGNALS) {
    this.#most = most;
  }

  /** @returns undefined when it is not known, or has other writers too */
  get(streamId: number): StreamState | undefined {
    const known = this.#states.get(streamId);
    return known?.isShared ? undefined : known?.state;
  }

  /**
   * After the commit only. Those that were kept longest ago are forgotten when there are too many.
   * @param states what was made of the rows, with the `xmin` that they had before
   * @param xmin what they have now
   */
  keep(states: readonly StreamState[], xmin: string): void {
    for (const state of states) {
      const left = this.#states.get(state.streamId)?.state.xmin;
      this.#forget(state.streamId);
      const isShared = left !== undefined && left !== state.xmin;
      const signals = Object.keys(state.signals).length;
      this.#states.set(state.streamId, { state: { ...state, xmin }, signals, isShared });
      this.#signals += signals;
    }
    for (const streamId of this.#states.keys()) {
      if (this.#signals <= this.#most) break;
      this.#forget(streamId);
    }
  }

  #forget(streamId: number): void {
    const known = this.#states.get(streamId);
    if (!known) return;
    this.#states.delete(streamId);
    this.#signals -= known.signals;
  }
}
