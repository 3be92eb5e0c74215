import type { StreamState } from './stream-change.ts';

/** Cache size: 20,000 streams x 20 signals, about 30 MB. */
const MAX_SIGNALS = 400_000;

type Known = {
  readonly state: StreamState;
  readonly signals: number;
  /** Whether another process has written the row, so that this process must read the row again before it changes it. */
  readonly isShared: boolean;
};

/**
 * Caches the rows of `latest` that this process committed, so that the next group need not read them. store_readings()
 * compares their `xmin` to find out whether they are up to date.
 */
export class StreamStateCache {
  readonly #states = new Map<number, Known>();
  readonly #most: number;
  #signals = 0;

  constructor(most = MAX_SIGNALS) {
    this.#most = most;
  }

  /** Returns the cached row of a stream. @returns undefined when it is not cached, or when another process has written it */
  get(streamId: number): StreamState | undefined {
    const known = this.#states.get(streamId);
    return known?.isShared ? undefined : known?.state;
  }

  /**
   * Caches rows after their commit. Drops the oldest ones when there are too many.
   * @param states the new rows, with the `xmin` from before the commit
   * @param xmin `xmin` of the new rows
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
