/** The filters and order of the maintenance list, as they stand in the page's address. */
import { MAINTENANCE_SHOWN, MAINTENANCE_SORTS } from './maintenance-words.ts';

export type MaintenanceView = {
  readonly show: (typeof MAINTENANCE_SHOWN)[number]['value'];
  readonly sort: (typeof MAINTENANCE_SORTS)[number]['value'];
  /** Id of the project that machines are on now; undefined: wherever they are. */
  readonly project: number | undefined;
  readonly text: string;
};

/** '?toon=nodig&volgorde=machine&project=3&zoek=beurt'. What cannot be is left out: an address may be typed. */
export function viewOf(search: URLSearchParams): MaintenanceView {
  const project = search.get('project') ?? '';
  return {
    show: MAINTENANCE_SHOWN.find(({ address }) => address === search.get('toon'))?.value ?? 'all',
    sort: MAINTENANCE_SORTS.find(({ address }) => address === search.get('volgorde'))?.value ?? 'due',
    project: /^[1-9]\d{0,8}$/.test(project) ? Number(project) : undefined,
    text: (search.get('zoek') ?? '').slice(0, 200),
  };
}

/** The address's search with these in it; what else stands there stays. */
export function withView(
  search: URLSearchParams,
  { show, sort, project, text }: MaintenanceView,
): URLSearchParams {
  const next = new URLSearchParams(search);
  const set = (name: string, value: string | undefined): void =>
    value ? next.set(name, value) : next.delete(name);
  set('toon', MAINTENANCE_SHOWN.find(({ value }) => value === show)?.address);
  set('volgorde', MAINTENANCE_SORTS.find(({ value }) => value === sort)?.address);
  set('project', project === undefined ? undefined : String(project));
  set('zoek', text);
  return next;
}
