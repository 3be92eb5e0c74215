import { invalidInputError } from '#server/platform/problem.ts';
import { readingRangeFor } from '#shared/domain/figures.ts';
import { BUCKET_MS, MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { parseQueryTime, parseWindowMs } from './query-time.ts';

/** Part of a requested range within one interval of ownership; half-open, ms. */
export type OwnedSegment = Range & { readonly own: Range };

/**
 * Parses a requested range: half-open, ms. An end in the future is replaced by now, and a start before 1970 by 1970.
 * @throws ProblemError 400 for an unknown form, a start after the end, or a start in the future
 */
export function parseRange(start: string, end: string | undefined, now: number): Range {
  const from = Math.max(0, momentNamed('begintijd', start, now));
  const asked = end === undefined ? now : momentNamed('eindtijd', end, now);
  if (from > asked) throw invalidInputError('De begintijd ligt na de eindtijd.');
  if (from > now) throw invalidInputError('De begintijd ligt in de toekomst.');
  return { from, to: Math.min(asked, now) };
}

function momentNamed(name: string, text: string, now: number): number {
  const ms = parseQueryTime(text, now);
  if (ms === undefined) {
    throw invalidInputError(
      `Onbekende ${name}. Geef een tijd met zone, zoals 2026-11-21T08:00:00+01:00, of zoals -30d, -24h of -90m.`,
    );
  }
  return ms;
}

/**
 * Validates the window parameter, which once set the resolution of figures and no longer affects them.
 * @throws ProblemError 400 for an unknown form, or a window smaller than the roll-up's buckets
 */
export function validateWindowParameter(text: string): void {
  const ms = parseWindowMs(text);
  if (ms === undefined) throw invalidInputError('Onbekend venster. Geef het zoals 300m, 5h of 1d.');
  if (ms < BUCKET_MS) throw invalidInputError('Het venster is te klein: het kleinste is 5m.');
}

/** Returns the parts of the range in which the caller owned the stream, in order. */
export function ownedSegmentsOf(range: Range, own: readonly Range[]): OwnedSegment[] {
  return own
    .map((interval) => ({
      from: /*rule:history-own-time*/ Math.max(range.from, interval.from) /*=range.from*/,
      to: /*rule:history-own-time*/ Math.min(range.to, interval.to) /*=range.to*/,
      own: interval,
    }))
    .filter(({ from, to }) => from < to);
}

/** How a segment is computed: whole buckets from the roll-up, and its ends from the readings. */
export type SegmentParts = { readonly whole: Range | undefined; readonly ends: readonly Range[] };

/**
 * Splits a segment. A bucket is whole if it lies in the segment, and so far from the start and end of the ownership that it depends
 * on no readings of another owner (docs/figures.md section 2).
 */
export function splitSegment({ from, to, own }: OwnedSegment): SegmentParts {
  const first = Math.ceil(Math.max(from, own.from + 2 * MAX_GAP_MS) / BUCKET_MS) * BUCKET_MS;
  const last = Math.floor(Math.min(to, own.to - MAX_GAP_MS) / BUCKET_MS) * BUCKET_MS;
  if (first >= last) return { whole: undefined, ends: [{ from, to }] };
  const ends = [
    { from, to: first },
    { from: last, to },
  ].filter((end) => end.from < end.to);
  return { whole: { from: first, to: last }, ends };
}

/** Returns the range of readings that the figures of a part of a segment depend on, without readings of another owner. */
export function neededReadingRange(slice: Range, own: Range): Range {
  const { from, to } = readingRangeFor(slice);
  return { from: Math.max(from, own.from), to: Math.min(to, own.to) };
}
