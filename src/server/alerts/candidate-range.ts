import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';

/** Whole buckets of a history in which a condition may begin or end. Times in ms. */
export type CandidateRange = Range & {
  readonly mayBegin: boolean;
  readonly mayEnd: boolean;
  /** Ranges whose readings the evaluation needs first, to build up its state; undefined: the previous bucket. */
  readonly before?: readonly Range[];
  /** Whether the evaluation keeps its state from earlier ranges, even if readings in between are skipped. */
  readonly keepsState?: boolean;
};

export const rangeWhereAlertMayBegin = (
  start: number,
  more: Partial<CandidateRange> = {},
): CandidateRange => ({
  from: start,
  to: start + BUCKET_MS,
  mayBegin: true,
  mayEnd: false,
  ...more,
});
/** Returns a range in which an alert may end anywhere, because no figure rules it out. */
export const rangeWhereAlertMayEnd = ({ from, to }: Range): CandidateRange => ({
  from,
  to,
  mayBegin: false,
  mayEnd: true,
});
