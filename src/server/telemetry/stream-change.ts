import type { FiguresState, StoredBucket } from '#shared/domain/figures.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { mergeNewest, type NewestSignals } from './newest-signals.ts';
import type { ReadingRow } from './readings/signal-columns.ts';

/**
 * The effect of a reading: a new stored reading ('readings'), new signals in the stored one of its instant ('merged'), or none
 * ('duplicates').
 */
export type ReadingOutcome = 'readings' | 'merged' | 'duplicates';

/** A stream's row of `latest`; times in ms. */
export type StreamState = {
  readonly streamId: number;
  /** -Infinity before the first reading. */
  readonly lastReceivedAt: number;
  readonly signals: NewestSignals;
  readonly track: FiguresState;
  /** Whether the roll-up is being recomputed, so that `track` is unknown. */
  readonly isOutdated: boolean;
  /** The transaction that wrote the row. */
  readonly xmin: string;
};

/** The changes of a batch to one stream. */
export type StreamChange = {
  readonly state: StreamState;
  readonly rows: readonly { readonly time: number; readonly row: ReadingRow }[];
  readonly buckets: ReadonlyMap<number, StoredBucket>;
  readonly inserted: number;
  readonly merged: number;
  /** Change of the number of readings in the roll-up. */
  readonly count: number;
  readonly runningMs: number;
  readonly leftOut: number;
  /** Time in ms from which the roll-up must be recomputed; only set for late batches. */
  readonly changedFrom?: number | undefined;
  /** Outcome of each reading by time; only for late batches. In other batches all readings are new. */
  readonly outcomes?: ReadonlyMap<number, ReadingOutcome>;
};

/** A reading and the time in ms since which it counts for live data. */
export type ReceivedReading = Reading & { readonly since: number };

export const sumOfBuckets = (
  buckets: ReadonlyMap<number, StoredBucket>,
  name: 'count' | 'runningMs',
): number => [...buckets.values()].reduce((sum, bucket) => sum + bucket[name], 0);

/** Returns the state of a stream after a batch. @param received the new readings of the batch */
export function nextStreamState(
  state: StreamState,
  received: readonly ReceivedReading[],
  track: FiguresState,
): Pick<StreamChange, 'state' | 'leftOut'> {
  const { signals, leftOut } = mergeNewest(state.signals, received);
  const lastReceivedAt = received.reduce(
    (newest, { since }) => Math.max(newest, since),
    state.lastReceivedAt,
  );
  return { state: { ...state, signals, lastReceivedAt, track }, leftOut };
}
