import type { LabelFilter } from '#web/machines/label-filter.ts';
import type { MaintenanceView } from './maintenance-view.ts';

/** Returns the query parameters of the request for the maintenance list. */
export const maintenanceQueryOf = (
  { show, sort, project, text }: MaintenanceView,
  { labels, favourites }: LabelFilter,
) => ({
  show,
  sort,
  ...(labels.length > 0 && { labels: JSON.stringify(labels) }),
  ...(favourites && { favourites: 'true' as const }),
  ...(project !== undefined && { project }),
  ...(text.trim() !== '' && { text: text.trim() }),
});

/** Returns the path from which the maintenance list is downloaded as a file. */
export function maintenanceFilePath(
  view: MaintenanceView,
  filter: LabelFilter,
  format: 'csv' | 'xlsx',
): string {
  const query = Object.entries({ ...maintenanceQueryOf(view, filter), format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/maintenance/file?${new URLSearchParams(query)}`;
}
