import {
  isPeriodPreset,
  type NightHours,
  type Period,
  type PeriodPreset,
  periodOf,
} from '#shared/domain/periods.ts';
import { type Format, REPORTS, type ReportKind, supportsHourLimits } from '#shared/domain/reports/kinds.ts';
import {
  DEFAULT_USE_DAY_MINUTES,
  MAX_USE_DAY_MINUTES,
  REPORT_STEP_SECONDS,
  type ReportStep,
} from '#shared/domain/reports/settings.ts';

/**
 * The choices of a report in the page's address. A preset stays a name in the address: a link with 'vorige-maand'
 * covers the month before the day on which the link is opened.
 */
export type ReportView = {
  readonly period: PeriodPreset | Period;
  readonly projects: readonly number[];
  /** Serial numbers. */
  readonly machines: readonly string[];
  /** Ids of labels; the report covers machines with any of these labels. */
  readonly labels: readonly number[];
  readonly minutes: number;
  readonly signals: readonly string[];
  readonly step: ReportStep;
};

const DAY = /^20\d\d-\d\d-\d\d$/;

/** Parses the choices. Ignores invalid values, because people may type an address. */
export function reportViewOf(search: URLSearchParams, kind: ReportKind): ReportView {
  const preset = search.get('periode') ?? '';
  const minutes = Number(search.get('minuten'));
  const step = REPORT_STEP_SECONDS.find((one) => String(one) === search.get('stap'));
  return {
    period: ownPeriod(search, kind) ?? (isPresetOffered(preset, kind) ? preset : usualPeriod(kind)),
    projects: idsIn(search, 'project'),
    labels: hasLabelChoice(kind) ? idsIn(search, 'label') : [],
    machines: [...new Set(search.getAll('machine').filter(Boolean))],
    minutes:
      Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_USE_DAY_MINUTES
        ? minutes
        : DEFAULT_USE_DAY_MINUTES,
    signals: [...new Set(search.getAll('signaal').filter(Boolean))],
    step: step ?? 0,
  };
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the period that the address gives by its dates; undefined if there is none. */
function ownPeriod(search: URLSearchParams, kind: ReportKind): Period | undefined {
  const [from, to] = [search.get('van') ?? '', search.get('tot') ?? ''];
  if (!DAY.test(from) || !DAY.test(to)) return undefined;
  const time = (name: string): string | undefined => {
    const text = search.get(name) ?? '';
    return supportsHourLimits(kind) && TIME.test(text) ? text : undefined;
  };
  const [fromTime, toTime] = [time('vanuur'), time('totuur')];
  return { from, to, ...(fromTime && { fromTime }), ...(toTime && { toTime }) };
}

/** Returns whether a report offers a preset: only reports that take hours offer last night. */
export const isPresetOffered = (preset: string, kind: ReportKind): preset is PeriodPreset =>
  isPeriodPreset(preset) && (preset !== 'afgelopen-nacht' || supportsHourLimits(kind));

const idsIn = (search: URLSearchParams, name: string): number[] =>
  search
    .getAll(name)
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);

/** Returns whether machines can be chosen by label: not in reports whose machines are chosen one by one. */
export const hasLabelChoice = (kind: ReportKind): boolean => kind !== 'route' && kind !== 'metingen';

/**
 * Returns the default period: last month, which reports to others usually cover, or this week for long lists of positions
 * and readings.
 */
const usualPeriod = (kind: ReportKind): PeriodPreset =>
  kind === 'route' || kind === 'metingen' ? 'deze-week' : 'vorige-maand';

/** Returns '?periode=vorige-week&machine=EX-1'; '' for the default choices. */
export function reportSearchOf(view: ReportView, kind: ReportKind): string {
  const { period, projects, machines, labels, minutes, signals, step } = view;
  const search = new URLSearchParams();
  if (typeof period === 'object') {
    search.set('van', period.from);
    search.set('tot', period.to);
    if (period.fromTime) search.set('vanuur', period.fromTime);
    if (period.toTime) search.set('totuur', period.toTime);
  } else if (period !== usualPeriod(kind)) search.set('periode', period);
  for (const project of projects) search.append('project', String(project));
  for (const machine of machines) search.append('machine', machine);
  for (const label of labels) search.append('label', String(label));
  if (minutes !== DEFAULT_USE_DAY_MINUTES) search.set('minuten', String(minutes));
  for (const signal of signals) search.append('signaal', signal);
  if (step !== 0) search.set('stap', String(step));
  return search.size === 0 ? '' : `?${search}`;
}

/** The present day, 'YYYY-MM-DD', and the hours of the night before it. */
export type ReportDay = { readonly today: string; readonly night: NightHours };

export const reportDaysOf = ({ period }: Pick<ReportView, 'period'>, { today, night }: ReportDay): Period =>
  typeof period === 'object' ? period : periodOf(period, today, night);

/** Returns the query parameters of the call that computes the report. */
export function reportQueryOf(view: ReportView, now: ReportDay) {
  const { projects, machines, labels, minutes, signals, step } = view;
  return {
    ...reportDaysOf(view, now),
    ...(projects.length > 0 && { projects: JSON.stringify(projects) }),
    ...(machines.length > 0 && { machines: JSON.stringify(machines) }),
    ...(labels.length > 0 && { labels: JSON.stringify(labels) }),
    ...(minutes !== DEFAULT_USE_DAY_MINUTES && { minutes }),
    ...(signals.length > 0 && { signals: JSON.stringify(signals) }),
    ...(step !== 0 && { step: String(step) as `${ReportStep}` }),
  };
}

/** Returns the address of the report as a file. */
export function reportFileAddress(
  kind: ReportKind,
  view: ReportView,
  now: ReportDay,
  format: Format,
): string {
  const query = Object.entries({ ...reportQueryOf(view, now), format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/report/${kind}/file?${new URLSearchParams(query)}`;
}

/** Returns a sentence about the missing choice; undefined if none is missing. */
export function missingChoiceText(kind: ReportKind, { machines, signals }: ReportView): string | undefined {
  if (kind === 'route' && machines.length === 0) return 'Kies een of meer machines.';
  if (kind === 'metingen' && machines.length !== 1) return 'Kies één machine.';
  if (kind === 'metingen' && signals.length === 0) return 'Kies een of meer signalen.';
  return undefined;
}

/** The chart of each report: keys of the columns to group by and to sum. */
export const CHARTS: Readonly<Partial<Record<ReportKind, { readonly by: string; readonly figure: string }>>> =
  {
    inzet: { by: 'alias', figure: 'running' },
    dagstaten: { by: 'day', figure: 'running' },
    laadbeurten: { by: 'from', figure: 'charged' },
    draaiuren: { by: 'alias', figure: 'running' },
  };

export const titleOf = (kind: ReportKind): string => REPORTS[kind].title;
