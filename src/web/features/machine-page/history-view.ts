/**
 * Which stretch of history the page shows: the last 24 hours, or one that was picked (MDET-13); and how the page's
 * address says it.
 */
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { MOST_OWN_SIGNALS } from '#shared/domain/own-signals.ts';
import { rangeOfDay, type TimeRange } from '#shared/domain/time-range.ts';
import { useUser } from '#web/session/user.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The 24 hours up to now, to the last reading (MDET-13). */
export const last24Hours = (now: number): TimeRange => lastDays(1, now);

const lastDays = (days: number, now: number): TimeRange => ({
  from: now - days * DAY_MS,
  to: now,
});

/** What is picked with one press. */
export const QUICK_RANGES: readonly {
  readonly label: string;
  /** undefined: the default, which moves along with the time. */
  readonly rangeAt: (now: number) => TimeRange | undefined;
}[] = [
  { label: 'Laatste 24 uur', rangeAt: () => undefined },
  { label: 'Vandaag', rangeAt: (now) => rangeOfDay(amsterdamDay(now), now) },
  { label: 'Gisteren', rangeAt: (now) => rangeOfDay(dayBefore(now), now) },
  { label: 'Laatste 7 dagen', rangeAt: (now) => lastDays(7, now) },
];

/** The day before now, YYYY-MM-DD: the last midnight was yesterday an hour earlier, whatever the length of the days. */
export const dayBefore = (now: number): string => amsterdamDay((dayOf(amsterdamDay(now))?.from ?? now) - 1);

/** Picked a while ago it is still the same choice. */
const ALIKE_MS = 15 * MINUTE_MS;

/** Whether both are the default, or start and end at about the same time. */
export function isAlike(a: TimeRange | undefined, b: TimeRange | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.from - b.from) < ALIKE_MS && Math.abs(a.to - b.to) < ALIKE_MS;
}

/** As the page's address says it: UTC, to the minute, so that everybody sees the same with it. */
export const momentText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The range of the page's address; undefined when it has none that can be read. */
export function rangeIn(search: URLSearchParams): TimeRange | undefined {
  const [from = Number.NaN, to = Number.NaN] = ['start', 'end'].map((name) =>
    Date.parse(search.get(name) ?? ''),
  );
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** The signals under their own names that the page's address asks for, each once; whether they exist is not known. */
export const signalsIn = (search: URLSearchParams): readonly string[] =>
  [...new Set(search.getAll('signal'))].slice(0, MOST_OWN_SIGNALS);

/** '20-11-26, 16:00 tot 21-11-26, 16:00'. */
export const rangeInWords = ({ from, to }: TimeRange): string =>
  `${dateAndTime(from)} tot ${dateAndTime(to)}`;

/** Until somebody does. */
export const POINT_AT = 'Wijs een moment aan in de grafiek.';

export type HistoryView = {
  /** 'Route On/Off'. */
  readonly isRoute: boolean;
  /** undefined: the last 24 hours. */
  readonly picked: TimeRange | undefined;
  readonly signals: readonly string[];
  readonly setRoute: (isOn: boolean) => void;
  readonly setPicked: (range: TimeRange | undefined) => void;
  readonly setSignals: (names: readonly string[]) => void;
};

/** What is looked at stands in the page's address, so that a link shows the same. */
export function useHistoryView(): HistoryView {
  const { seesRoutes } = useUser();
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
    isRoute: seesRoutes && search.get('route') === 'on',
    picked: rangeIn(search),
    signals: signalsIn(search),
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
    setSignals: (names) =>
      change((next) => {
        next.delete('signal');
        for (const name of names) next.append('signal', name);
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
