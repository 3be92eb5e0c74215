/** Reads and writes the filters and order of the maintenance list in the page's address. */
import { MAINTENANCE_FILTER_OPTIONS, MAINTENANCE_SORT_OPTIONS } from './maintenance-text.ts';

export type MaintenanceView = {
  readonly show: (typeof MAINTENANCE_FILTER_OPTIONS)[number]['value'];
  readonly sort: (typeof MAINTENANCE_SORT_OPTIONS)[number]['value'];
  /** Id of the machines' present project; undefined for all machines. */
  readonly project: number | undefined;
  readonly text: string;
};

/** Reads '?toon=nodig&volgorde=machine&project=3&zoek=beurt'. Ignores invalid values, because a user may have typed the address. */
export function maintenanceViewOf(search: URLSearchParams): MaintenanceView {
  const project = search.get('project') ?? '';
  return {
    show: MAINTENANCE_FILTER_OPTIONS.find(({ address }) => address === search.get('toon'))?.value ?? 'all',
    sort: MAINTENANCE_SORT_OPTIONS.find(({ address }) => address === search.get('volgorde'))?.value ?? 'due',
    project: /^[1-9]\d{0,8}$/.test(project) ? Number(project) : undefined,
    text: (search.get('zoek') ?? '').slice(0, 200),
  };
}

/** Returns the parameters of the address with the view replaced; other parameters stay. */
export function withView(
  search: URLSearchParams,
  { show, sort, project, text }: MaintenanceView,
): URLSearchParams {
  const next = new URLSearchParams(search);
  const set = (name: string, value: string | undefined): void =>
    value ? next.set(name, value) : next.delete(name);
  set('toon', MAINTENANCE_FILTER_OPTIONS.find(({ value }) => value === show)?.address);
  set('volgorde', MAINTENANCE_SORT_OPTIONS.find(({ value }) => value === sort)?.address);
  set('project', project === undefined ? undefined : String(project));
  set('zoek', text);
  return next;
}
