import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';

/** Whole buckets of a history, ms: whether something may begin in them, and be over. */
export type Stretch = Range & {
  readonly mayBegin: boolean;
  readonly mayEnd: boolean;
  /** To be read first, where the bucket before is not; undefined: that one. */
  readonly before?: readonly Range[];
  /** What came before it counts, whatever was read of it. */
  readonly goesOn?: boolean;
};

export const beginsAt = (start: number, more: Partial<Stretch> = {}): Stretch => ({
  from: start,
  to: start + BUCKET_MS,
  mayBegin: true,
  mayEnd: false,
  ...more,
});
/** Where no figure tells that something is not over. */
export const endsAnywhere = ({ from, to }: Range): Stretch => ({ from, to, mayBegin: false, mayEnd: true });
