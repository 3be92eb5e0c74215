import { type Format, REPORTS, type ReportKind, takesHours } from '#shared/domain/reports/kinds.ts';
import {
  isPreset,
  type NightHours,
  type Period,
  type Preset,
  periodOf,
} from '#shared/domain/reports/periods.ts';
import { DEFAULT_MINUTES, MOST_MINUTES, STEPS, type Step } from '#shared/domain/reports/settings.ts';

/** What is looked at, as it stands in the page's address: a link shows the same, and one to 'vorige maand' shows it next month too. */
export type ReportView = {
  readonly period: Preset | Period;
  readonly projects: readonly number[];
  /** Serial numbers. */
  readonly machines: readonly string[];
  /** Of machines that carry any of them. */
  readonly labels: readonly number[];
  readonly minutes: number;
  readonly signals: readonly string[];
  readonly step: Step;
};

const DAY = /^20\d\d-\d\d-\d\d$/;

/** What cannot be is left out: an address may be typed. */
export function viewOf(search: URLSearchParams, kind: ReportKind): ReportView {
  const preset = search.get('periode') ?? '';
  const minutes = Number(search.get('minuten'));
  const step = STEPS.find((one) => String(one) === search.get('stap'));
  return {
    period: ownPeriod(search, kind) ?? (isOffered(preset, kind) ? preset : usualPeriod(kind)),
    projects: idsIn(search, 'project'),
    labels: hasLabels(kind) ? idsIn(search, 'label') : [],
    machines: [...new Set(search.getAll('machine').filter(Boolean))],
    minutes: Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES ? minutes : DEFAULT_MINUTES,
    signals: [...new Set(search.getAll('signaal').filter(Boolean))],
    step: step ?? 0,
  };
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns the period that was not chosen by name; undefined: none. */
function ownPeriod(search: URLSearchParams, kind: ReportKind): Period | undefined {
  const [from, to] = [search.get('van') ?? '', search.get('tot') ?? ''];
  if (!DAY.test(from) || !DAY.test(to)) return undefined;
  const time = (name: string): string | undefined => {
    const text = search.get(name) ?? '';
    return takesHours(kind) && TIME.test(text) ? text : undefined;
  };
  const [fromTime, toTime] = [time('vanuur'), time('totuur')];
  return { from, to, ...(fromTime && { fromTime }), ...(toTime && { toTime }) };
}

/** Whether a report can be of that period: a night has hours. */
export const isOffered = (preset: string, kind: ReportKind): preset is Preset =>
  isPreset(preset) && (preset !== 'afgelopen-nacht' || takesHours(kind));

const idsIn = (search: URLSearchParams, name: string): number[] =>
  search
    .getAll(name)
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);

/** Of one machine, or of some that are named, there is nothing to choose by label. */
export const hasLabels = (kind: ReportKind): boolean => kind !== 'route' && kind !== 'metingen';

/** What is handed in is of last month; of a month there are too many positions to look at. */
const usualPeriod = (kind: ReportKind): Preset =>
  kind === 'route' || kind === 'metingen' ? 'deze-week' : 'vorige-maand';

/** '?periode=vorige-week&machine=EX-1'; '' for what is usual. */
export function searchOf(view: ReportView, kind: ReportKind): string {
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
  if (minutes !== DEFAULT_MINUTES) search.set('minuten', String(minutes));
  for (const signal of signals) search.append('signaal', signal);
  if (step !== 0) search.set('stap', String(step));
  return search.size === 0 ? '' : `?${search}`;
}

/** The day on which the report is looked at, 'YYYY-MM-DD', and the hours of the night before it. */
export type Now = { readonly today: string; readonly night: NightHours };

export const daysOf = ({ period }: Pick<ReportView, 'period'>, { today, night }: Now): Period =>
  typeof period === 'object' ? period : periodOf(period, today, night);

/** What the server is asked. */
export function queryOf(view: ReportView, now: Now) {
  const { projects, machines, labels, minutes, signals, step } = view;
  return {
    ...daysOf(view, now),
    ...(projects.length > 0 && { projects: JSON.stringify(projects) }),
    ...(machines.length > 0 && { machines: JSON.stringify(machines) }),
    ...(labels.length > 0 && { labels: JSON.stringify(labels) }),
    ...(minutes !== DEFAULT_MINUTES && { minutes }),
    ...(signals.length > 0 && { signals: JSON.stringify(signals) }),
    ...(step !== 0 && { step: String(step) as `${Step}` }),
  };
}

/** The address of the file. */
export function fileOf(kind: ReportKind, view: ReportView, now: Now, format: Format): string {
  const query = Object.entries({ ...queryOf(view, now), format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/report/${kind}/file?${new URLSearchParams(query)}`;
}

/** What still has to be chosen, in words; undefined: nothing. */
export function missingOf(kind: ReportKind, { machines, signals }: ReportView): string | undefined {
  if (kind === 'route' && machines.length === 0) return 'Kies een of meer machines.';
  if (kind === 'metingen' && machines.length !== 1) return 'Kies één machine.';
  if (kind === 'metingen' && signals.length === 0) return 'Kies een of meer signalen.';
  return undefined;
}

/** Of which machines or days which figure stands in the chart: keys of columns. */
export const CHARTS: Readonly<Partial<Record<ReportKind, { readonly by: string; readonly figure: string }>>> =
  {
    inzet: { by: 'alias', figure: 'running' },
    dagstaten: { by: 'day', figure: 'running' },
    laadbeurten: { by: 'from', figure: 'charged' },
    draaiuren: { by: 'alias', figure: 'running' },
  };

export const titleOf = (kind: ReportKind): string => REPORTS[kind].title;
