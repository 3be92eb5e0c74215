import type { StoredBucket, Track } from '#shared/domain/figures.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { mergeNewest, type NewestSignals } from './newest-signals.ts';
import type { Row } from './readings/signal-columns.ts';

/** The change at the instant of a stored reading. */
export type Outcome = 'readings' | 'merged' | 'duplicates';

/** A stream's row of `latest`; times in ms. */
export type StreamState = {
  readonly streamId: number;
  /** -Infinity before the first reading. */
  readonly lastReceivedAt: number;
  readonly signals: NewestSignals;
  readonly track: Track;
  /** The roll-up is being recomputed, so the track is unknown. */
  readonly isOutdated: boolean;
  /** The transaction that wrote the row. */
  readonly xmin: string;
};

/** The changes of a batch to one stream. */
export type Change = {
  readonly state: StreamState;
  readonly rows: readonly { readonly time: number; readonly row: Row }[];
  readonly buckets: ReadonlyMap<number, StoredBucket>;
  readonly inserted: number;
  readonly merged: number;
  /** New count of the roll-up less its old count. */
  readonly count: number;
  readonly runningMs: number;
  readonly leftOut: number;
  /** Start in ms of the roll-up that must be recomputed; only set for late batches. */
  readonly changedFrom?: number | undefined;
  /** Outcome of each reading by time; only for late batches. In other batches all readings are new. */
  readonly outcomes?: ReadonlyMap<number, Outcome>;
};

/** A reading and the time in ms since which it counts for live data. */
export type ReceivedReading = Reading & { readonly since: number };

export const sumOf = (buckets: ReadonlyMap<number, StoredBucket>, name: 'count' | 'runningMs'): number =>
  [...buckets.values()].reduce((sum, bucket) => sum + bucket[name], 0);

/** @param received the new readings of a batch */
export function newState(
  state: StreamState,
  received: readonly ReceivedReading[],
  track: Track,
): Pick<Change, 'state' | 'leftOut'> {
  const { signals, leftOut } = mergeNewest(state.signals, received);
  const lastReceivedAt = received.reduce(
    (newest, { since }) => Math.max(newest, since),
    state.lastReceivedAt,
  );
  return { state: { ...state, signals, lastReceivedAt, track }, leftOut };
}
