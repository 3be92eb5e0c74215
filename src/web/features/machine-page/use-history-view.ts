import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { last24Hours, momentText, rangeIn } from './history-range.ts';

export type HistoryView = {
  /** 'Route On/Off'. */
  readonly isRoute: boolean;
  /** undefined: the last 24 hours. */
  readonly picked: TimeRange | undefined;
  readonly setRoute: (isOn: boolean) => void;
  readonly setPicked: (range: TimeRange | undefined) => void;
};

/** What is looked at stands in the page's address, so that a link shows the same. */
export function useHistoryView(): HistoryView {
  const [search, setSearch] = useSearchParams();
  // The range that the toggle wrote itself goes with it.
  const wroteRange = useRef(false);
  const change = (edit: (next: URLSearchParams) => void): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    isRoute: search.get('route') === 'on',
    picked: rangeIn(search),
    setRoute: (isOn) =>
      change((next) => {
        if (isOn) next.set('route', 'on');
        else next.delete('route');
        if (isOn && !rangeIn(next)) {
          write(next, last24Hours(Date.now()));
          wroteRange.current = true;
        } else if (!isOn && wroteRange.current) {
          write(next, undefined);
          wroteRange.current = false;
        }
      }),
    setPicked: (range) =>
      change((next) => {
        wroteRange.current = false;
        write(next, range);
      }),
  };
}

function write(search: URLSearchParams, range: TimeRange | undefined): void {
  for (const [name, side] of [
    ['start', 'from'],
    ['end', 'to'],
  ] as const) {
    if (range) search.set(name, momentText(range[side]));
    else search.delete(name);
  }
}
