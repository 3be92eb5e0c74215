import { invalid } from '#server/platform/problem.ts';
import { readingsFor } from '#shared/domain/figures.ts';
import { BUCKET_MS, MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { momentOf, windowMs } from './query-time.ts';

/** Part of the range that was asked for, inside one interval of ownership; half-open, ms. */
export type Segment = Range & { readonly own: Range };

/**
 * What was asked for: half-open, ms. A day that lies ahead is cut to now, and nothing was recorded before 1970.
 * @throws ProblemError 400 unknown form, start after end, or in the future
 */
export function readRange(start: string, end: string | undefined, now: number): Range {
  const from = Math.max(0, momentNamed('begintijd', start, now));
  const asked = end === undefined ? now : momentNamed('eindtijd', end, now);
  if (from > asked) throw invalid('De begintijd ligt na de eindtijd.');
  if (from > now) throw invalid('De begintijd ligt in de toekomst.');
  return { from, to: Math.min(asked, now) };
}

function momentNamed(name: string, text: string, now: number): number {
  const ms = momentOf(text, now);
  if (ms === undefined) {
    throw invalid(
      `Onbekende ${name}. Geef een tijd met zone, zoals 2026-11-21T08:00:00+01:00, of zoals -30d, -24h of -90m.`,
    );
  }
  return ms;
}

/**
 * A resolution was once chosen here; it changes no figure any more.
 * @throws ProblemError 400 unknown form, or finer than the roll-up
 */
export function checkWindow(text: string): void {
  const ms = windowMs(text);
  if (ms === undefined) throw invalid('Onbekend venster. Geef het zoals 300m, 5h of 1d.');
  if (ms < BUCKET_MS) throw invalid('Het venster is te klein: het kleinste is 5m.');
}

/** The range inside what is the caller's own, in order. */
export function segmentsOf(range: Range, own: readonly Range[]): Segment[] {
  return own
    .map((interval) => ({
      from: /*rule:history-own-time*/ Math.max(range.from, interval.from) /*=range.from*/,
      to: /*rule:history-own-time*/ Math.min(range.to, interval.to) /*=range.to*/,
      own: interval,
    }))
    .filter(({ from, to }) => from < to);
}

/** How a segment is counted: whole buckets from the roll-up, what is left at its ends from the readings. */
export type Cut = { readonly whole: Range | undefined; readonly ends: readonly Range[] };

/**
 * A bucket counts as whole when it lies in the segment, and so far from where the ownership begins or ends that the
 * other owner's readings have no part in it (docs/figures.md section 2).
 */
export function cutOf({ from, to, own }: Segment): Cut {
  const first = Math.ceil(Math.max(from, own.from + 2 * MAX_GAP_MS) / BUCKET_MS) * BUCKET_MS;
  const last = Math.floor(Math.min(to, own.to - MAX_GAP_MS) / BUCKET_MS) * BUCKET_MS;
  if (first >= last) return { whole: undefined, ends: [{ from, to }] };
  const ends = [
    { from, to: first },
    { from: last, to },
  ].filter((end) => end.from < end.to);
  return { whole: { from: first, to: last }, ends };
}

/** What has to be read to know the figures of a piece of a segment: the other owner's readings do not exist. */
export function windowOf(piece: Range, own: Range): Range {
  const { from, to } = readingsFor(piece);
  return { from: Math.max(from, own.from), to: Math.min(to, own.to) };
}
