/** The range of time and the slider's time of a logger's history in the page's address, so that links and Back restore them. */
import { useSearchParams } from 'react-router';
import { hasTimeRangeErrors, rangeErrors, type TimeRange } from '#shared/domain/time-range.ts';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import { useIsPageCurrent } from '#web/lib/own-address.ts';
import { parseAddressRange, writeRange } from '#web/machines/range-address.ts';

/** A range may end at most this far in the future, so that users can pick the whole of today; the server returns data until now. */
const DAY_MS = 86_400_000;

/** Returns the errors of a range, per field, as Dutch texts. */
export const railRangeErrors = (range: TimeRange, now: number) => rangeErrors(range, now + DAY_MS);

/** Reads the range of '?start=…&end=…'; undefined if it is absent or invalid. */
export function rangeInAddress(search: URLSearchParams, now: number): TimeRange | undefined {
  const range = parseAddressRange(search);
  return range && !hasTimeRangeErrors(railRangeErrors(range, now)) ? range : undefined;
}

/** Reads the slider's time, '?moment=2025-04-12T07:12:00Z', in unix ms; undefined if it is absent or invalid. */
export function momentInAddress(search: URLSearchParams): number | undefined {
  const ms = Date.parse(search.get('moment') ?? '');
  return Number.isFinite(ms) ? ms : undefined;
}

/** Returns an instant as a text with whole seconds, because readings are a second apart. */
const secondText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export type RailView = {
  /** The range that the user picked; undefined for the default range (LOG-04). */
  readonly picked: TimeRange | undefined;
  /** Time of the slider, unix ms; undefined until the user moves the slider. */
  readonly moment: number | undefined;
  readonly pick: (range: TimeRange) => void;
  readonly setMoment: (ms: number) => void;
};

export function useRailView(): RailView {
  const [search] = useSearchParams();
  const changeSearch = useChangeSearchParams();
  const isOwnAddress = useIsPageCurrent();
  const change = (edit: (next: URLSearchParams) => void): void => {
    if (!isOwnAddress()) return;
    changeSearch((now) => {
      edit(now);
      return now;
    });
  };
  return {
    picked: rangeInAddress(search, Date.now()),
    moment: momentInAddress(search),
    pick: (range) =>
      change((next) => {
        writeRange(next, range);
        next.delete('moment');
      }),
    setMoment: (ms) => change((next) => next.set('moment', secondText(ms))),
  };
}
