/** What of a logger's history is looked at, as the page's address says it: a link and Back show the same. */
import { useSearchParams } from 'react-router';
import { hasErrors, rangeErrors, type TimeRange } from '#shared/domain/time-range.ts';
import { useOwnAddress } from '#web/lib/own-address.ts';
import { rangeIn, writeRange } from '#web/machines/range-address.ts';

/** A day that is not over can be picked whole, as the server cuts it. */
const DAY_MS = 86_400_000;

/** What is wrong with a range, per field, in words. */
export const railFaults = (range: TimeRange, now: number) => rangeErrors(range, now + DAY_MS);

/** '?start=…&end=…': what cannot be asked for is no range. */
export function pickedIn(search: URLSearchParams, now: number): TimeRange | undefined {
  const range = rangeIn(search);
  return range && !hasErrors(railFaults(range, now)) ? range : undefined;
}

/** '?moment=2025-04-12T07:12:00Z', ms; undefined when there is none that can be read. */
export function momentIn(search: URLSearchParams): number | undefined {
  const ms = Date.parse(search.get('moment') ?? '');
  return Number.isFinite(ms) ? ms : undefined;
}

/** To the second: so far apart are readings. */
const secondText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export type RailView = {
  /** undefined: the default (LOG-04). */
  readonly picked: TimeRange | undefined;
  /** ms; where the slider stands; undefined: nobody moved it. */
  readonly moment: number | undefined;
  readonly pick: (range: TimeRange) => void;
  readonly setMoment: (ms: number) => void;
};

export function useRailView(): RailView {
  const [search, setSearch] = useSearchParams();
  const isOwnAddress = useOwnAddress();
  const change = (edit: (next: URLSearchParams) => void): void => {
    if (!isOwnAddress()) return;
    setSearch(
      () => {
        const next = new URLSearchParams(window.location.search);
        edit(next);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return {
    picked: pickedIn(search, Date.now()),
    moment: momentIn(search),
    pick: (range) =>
      change((next) => {
        writeRange(next, range);
        next.delete('moment');
      }),
    setMoment: (ms) => change((next) => next.set('moment', secondText(ms))),
  };
}
