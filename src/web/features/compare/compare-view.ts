/** Reads and writes the compared machines and the period in the page's address, so that a link opens the same comparison. */
import { amsterdamDayRange, daysAfter, nextDay } from '#shared/domain/amsterdam-time.ts';
import { MAX_COMPARED_DAYS, MAX_COMPARED_MACHINES, MIN_COMPARED_MACHINES } from '#shared/domain/compare.ts';
import { dutchDate, monthText } from '#shared/domain/nl.ts';
import { type Period, periodOf } from '#shared/domain/periods.ts';
import { daysBetween, periodText } from '#shared/domain/reports/settings.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** The periods that can be chosen by name. Each has its name in the address and its label. */
export const PERIODS = [
  ['7-dagen', 'Laatste 7 dagen'],
  ['vandaag', 'Vandaag'],
  ['gisteren', 'Gisteren'],
  ['deze-week', 'Deze week'],
  ['vorige-week', 'Vorige week'],
  ['deze-maand', 'Deze maand'],
  ['vorige-maand', 'Vorige maand'],
] as const;
type PeriodName = (typeof PERIODS)[number][0];
const DEFAULT_PERIOD: PeriodName = '7-dagen';

export type CompareView = {
  /** Serial numbers as written in the address. */
  readonly machines: readonly string[];
  readonly period: PeriodName | Period;
  /** Month of the table, 'YYYY-MM'; undefined if the table follows the period of the graphs. */
  readonly month: string | undefined;
};

export const isPeriod = (text: string): text is PeriodName => PERIODS.some(([name]) => name === text);
const isDay = (text: string): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(text) && amsterdamDayRange(text) !== undefined;

/**
 * Reads '?machine=A&machine=B&van=2026-11-01&tot=2026-11-07&maand=2026-11'. Ignores an invalid period or month, but keeps every
 * machine: machinesErrorText explains what is wrong with them.
 */
export function compareViewOf(search: URLSearchParams): CompareView {
  const [from, to] = [search.get('van') ?? '', search.get('tot') ?? ''];
  const name = search.get('periode') ?? '';
  const month = search.get('maand') ?? '';
  return {
    machines: search
      .getAll('machine')
      .map((serial) => serial.trim())
      .filter(Boolean),
    period: isDay(from) && isDay(to) ? { from, to } : isPeriod(name) ? name : DEFAULT_PERIOD,
    month: /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
  };
}

export function compareSearchOf({ machines, period, month }: CompareView): string {
  const search = new URLSearchParams();
  for (const machine of machines) search.append('machine', machine);
  if (typeof period === 'object') {
    search.set('van', period.from);
    search.set('tot', period.to);
  } else if (period !== DEFAULT_PERIOD) search.set('periode', period);
  if (month !== undefined) search.set('maand', month);
  return search.size === 0 ? '' : `?${search}`;
}

/** Returns the first and last day of the graphs. @param today 'YYYY-MM-DD' in Amsterdam */
export function graphDaysOf({ period }: Pick<CompareView, 'period'>, today: string): Period {
  if (typeof period === 'object') return period;
  if (period === 'vandaag') return { from: today, to: today };
  if (period === 'gisteren') return { from: daysAfter(today, -1), to: daysAfter(today, -1) };
  if (period === '7-dagen') return { from: daysAfter(today, -6), to: today };
  return periodOf(period, today);
}

/** Returns the first and last day of the table: of its month if it has one, else of the graphs. */
export function figureDaysOf(view: CompareView, today: string): Period {
  if (view.month === undefined) return graphDaysOf(view, today);
  const first = `${view.month}-01`;
  return { from: first, to: daysAfter(`${daysAfter(first, 31).slice(0, 7)}-01`, -1) };
}

/** Returns 'november 2026' for a whole month, else '29-11-2026' or '23-11-2026 tot en met 29-11-2026'. */
export function daysText({ from, to }: Period): string {
  if (from === to) return dutchDate(from);
  const month = from.slice(0, 7);
  const isMonth = from.endsWith('-01') && to.startsWith(month) && !nextDay(to).startsWith(month);
  return isMonth ? monthText(month) : periodText({ from, to });
}

const MAX_MONTHS = 24;

/** Returns the months ('YYYY-MM') of the last two years, newest first, and the chosen month if it is older. */
export function monthsUntil(today: string, chosen: string | undefined): string[] {
  const months = Array.from({ length: MAX_MONTHS }, (_, back) => {
    const date = new Date(`${today.slice(0, 7)}-01T00:00Z`);
    date.setUTCMonth(date.getUTCMonth() - back);
    return date.toISOString().slice(0, 7);
  });
  return chosen === undefined || months.includes(chosen) ? months : [...months, chosen].sort().reverse();
}

/** Returns why the machines cannot be compared, as a Dutch text; undefined if they can. */
export function machinesErrorText(machines: readonly string[]): string | undefined {
  const known = machines.map((serial) => serial.toLowerCase());
  const twice = machines.find((_, at) => known.indexOf(known[at] as string) < at);
  if (twice !== undefined) return `Machine ${twice} staat er twee keer in.`;
  if (machines.length === 0) return 'Kies twee tot vijf machines.';
  if (machines.length < MIN_COMPARED_MACHINES) return 'Kies nog minstens één machine.';
  if (machines.length > MAX_COMPARED_MACHINES)
    return `Kies hoogstens vijf machines; dit zijn er ${machines.length}.`;
  return undefined;
}

/** Returns why the period cannot be shown, as a Dutch text; undefined if it can. */
export function periodErrorText({ from, to }: Period, today: string): string | undefined {
  if (to < from) return 'De laatste dag ligt voor de eerste dag.';
  if (from > today) return 'De eerste dag ligt in de toekomst.';
  if (daysBetween(from, to) > MAX_COMPARED_DAYS) return `Kies hoogstens ${MAX_COMPARED_DAYS} dagen.`;
  return undefined;
}

/** Returns the range in unix ms from the start of the first day to the end of the last day, at most to `now`. */
export function rangeOfPeriod({ from, to }: Period, now: number): TimeRange {
  const begin = amsterdamDayRange(from)?.from ?? now;
  return { from: begin, to: Math.max(begin, Math.min(amsterdamDayRange(to)?.to ?? now, now)) };
}
