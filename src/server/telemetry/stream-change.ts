import type { StoredBucket, Track } from '#shared/domain/figures.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { mergeNewest, type NewestSignals } from './newest-signals.ts';
import type { Row } from './signal-columns.ts';

/** What became of the reading of one instant. */
export type Outcome = 'readings' | 'merged' | 'duplicates';

/** One stream's row of `latest`; times in ms. */
export type StreamState = {
  readonly streamId: number;
  /** -Infinity: none yet. */
  readonly heardAt: number;
  readonly signals: NewestSignals;
  readonly track: Track;
  /** The roll-up is still to be computed anew: the track is not known. */
  readonly isOutdated: boolean;
  /** The transaction that wrote the row. */
  readonly xmin: string;
};

/** What a batch makes of one stream. */
export type Change = {
  readonly state: StreamState;
  readonly rows: readonly { readonly time: number; readonly row: Row }[];
  readonly buckets: ReadonlyMap<number, StoredBucket>;
  readonly inserted: number;
  readonly merged: number;
  /** What the roll-up has of it now, less what it had. */
  readonly count: number;
  readonly runningMs: number;
  readonly leftOut: number;
  /** ms; start of the roll-up that has to be recomputed. Set by late batches only. */
  readonly changedFrom?: number | undefined;
  /** Only of a late batch: of each of its readings, by time. Else all are new. */
  readonly outcomes?: ReadonlyMap<number, Outcome>;
};

/** A reading with when it counts for live data, ms. */
export type Heard = Reading & { readonly since: number };

export const sumOf = (buckets: ReadonlyMap<number, StoredBucket>, name: 'count' | 'runningMs'): number =>
  [...buckets.values()].reduce((sum, bucket) => sum + bucket[name], 0);

/** @param heard what was new of a batch */
export function newState(
  state: StreamState,
  heard: readonly Heard[],
  track: Track,
): Pick<Change, 'state' | 'leftOut'> {
  const { signals, leftOut } = mergeNewest(state.signals, heard);
  const heardAt = heard.reduce((newest, { since }) => Math.max(newest, since), state.heardAt);
  return { state: { ...state, signals, heardAt, track }, leftOut };
}
