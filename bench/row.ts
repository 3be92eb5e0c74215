import type { Workplace } from './workplace.ts';

/** One line of the table: a number beside its reference of the same run (docs/design.md section 11). */
export type Row = {
  readonly what: string;
  readonly measured: string;
  /** Absent where the reach is an absolute number and nothing stands beside it. */
  readonly reference?: string;
  /** Median of the pairs' ratios, ours / reference. */
  readonly ratio?: number;
  readonly reach: string;
  readonly reached: boolean;
  /** Each round's values, and what else a reader should know. */
  readonly notes: readonly string[];
};

/** Measures, and leaves nothing behind that the workplace does not clear away. */
export type Bench = (place: Workplace) => Promise<readonly Row[]>;

/** 6,048 */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');
