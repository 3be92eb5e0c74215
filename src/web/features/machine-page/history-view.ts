/**
 * The shown range of history in the page's address: the last 24 hours, or a picked range (MDET-13).
 */
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { MAX_OWN_SIGNALS } from '#shared/domain/custom-signals.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { type NightHours, periodOf } from '#shared/domain/periods.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { rangeOfDay, type TimeRange } from '#shared/domain/time-range.ts';
import { parseAddressRange, writeRange, yesterdayOf } from '#web/machines/range-address.ts';
import { useUser } from '#web/session/user.ts';

const DAY_MS = 86_400_000;

/** Returns the 24 hours up to now (MDET-13). */
export const last24Hours = (now: number): TimeRange => lastDays(1, now);

const lastDays = (days: number, now: number): TimeRange => ({
  from: now - days * DAY_MS,
  to: now,
});

/** Returns the time from yesterday evening to this morning, at most up to now. */
function lastNight(now: number, night: NightHours): TimeRange {
  const { from, to } = reportRangeMs(periodOf('afgelopen-nacht', amsterdamDay(now), night));
  return { from, to: Math.max(from, Math.min(to, Math.floor(now / 60_000) * 60_000)) };
}

/** The ranges that have a button. */
export const QUICK_RANGES: readonly {
  readonly label: string;
  /**
   * Returns the range at `now`; undefined for the default range, which moves with the time. `night`: the hours of a
   * night.
   */
  readonly rangeAt: (now: number, night: NightHours) => TimeRange | undefined;
}[] = [
  { label: 'Laatste 24 uur', rangeAt: () => undefined },
  { label: 'Vandaag', rangeAt: (now) => rangeOfDay(amsterdamDay(now), now) },
  { label: 'Gisteren', rangeAt: (now) => rangeOfDay(yesterdayOf(now), now) },
  { label: 'Afgelopen nacht', rangeAt: lastNight },
  { label: 'Laatste 7 dagen', rangeAt: (now) => lastDays(7, now) },
];

/** Returns the signals without a mapping that the page's address names, without duplicates. The machine may not have them. */
export const customSignalsInAddress = (search: URLSearchParams): readonly string[] =>
  [...new Set(search.getAll('signal'))].slice(0, MAX_OWN_SIGNALS);

/** Returns for example '20-11-26, 16:00 tot 21-11-26, 16:00'. */
export const rangeText = ({ from, to }: TimeRange): string => `${dateAndTime(from)} tot ${dateAndTime(to)}`;

/** Text shown in place of the values until the user chooses a moment. */
export const CHOOSE_MOMENT_HINT = 'Wijs een moment aan in de grafiek.';

export type HistoryView = {
  /** Whether the map shows the route of the range instead of the present position. */
  readonly isRoute: boolean;
  /** The range that the user picked; undefined for the last 24 hours. */
  readonly picked: TimeRange | undefined;
  readonly signals: readonly string[];
  readonly setRoute: (isOn: boolean) => void;
  readonly setPicked: (range: TimeRange | undefined) => void;
  readonly setSignals: (names: readonly string[]) => void;
};

/** Reads and writes the shown history in the page's address, so that a link opens the same range and signals. */
export function useHistoryView(): HistoryView {
  const { seesRoutes } = useUser();
  const [search, setSearch] = useSearchParams();
  // Whether switching the route on wrote the range into the address; then switching it off removes the range again.
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
    isRoute: seesRoutes && search.get('route') === 'on',
    picked: parseAddressRange(search),
    signals: customSignalsInAddress(search),
    setRoute: (isOn) =>
      change((next) => {
        if (isOn) next.set('route', 'on');
        else next.delete('route');
        if (isOn && !parseAddressRange(next)) {
          writeRange(next, last24Hours(Date.now()));
          wroteRange.current = true;
        } else if (!isOn && wroteRange.current) {
          writeRange(next, undefined);
          wroteRange.current = false;
        }
      }),
    setPicked: (range) =>
      change((next) => {
        wroteRange.current = false;
        writeRange(next, range);
      }),
    setSignals: (names) =>
      change((next) => {
        next.delete('signal');
        for (const name of names) next.append('signal', name);
      }),
  };
}
