import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { TaskFields } from '#shared/contract/maintenance-templates.ts';
import { call } from '#web/lib/api.ts';
import type { LabelFilter } from '#web/machines/label-filter.ts';
import { MACHINES } from '#web/machines/machine-keys.ts';
import {
  FLEET_MAINTENANCE,
  MAINTENANCE_TEMPLATES,
  useRenewMaintenance,
} from '#web/machines/maintenance-keys.ts';
import type { MaintenanceView } from './maintenance-view.ts';

const EVERY_MS = 5 * 60_000;

/** Returns the query of the request for the list. */
export const queryOf = (
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

export const useFleetMaintenance = (view: MaintenanceView, filter: LabelFilter) => {
  const query = queryOf(view, filter);
  return useQuery({
    queryKey: [...FLEET_MAINTENANCE, query],
    queryFn: ({ signal }) => call('GET /api/maintenance/list', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
};

/** Returns the path of the list as a file. */
export function filePath(view: MaintenanceView, filter: LabelFilter, format: 'csv' | 'xlsx'): string {
  const query = Object.entries({ ...queryOf(view, filter), format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/maintenance/file?${new URLSearchParams(query)}`;
}

/** The projects that the user sees. The query key is the same on every page. */
export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => call('GET /api/project/get', { signal }) });

/** The machines that the user sees. The query key is the same on every page. */
export const useMachines = () =>
  useQuery({ queryKey: MACHINES, queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }) });

/** The organizations that can own a template. */
export const useOwners = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isEnabled,
  });

export const useTemplates = () =>
  useQuery({
    queryKey: MAINTENANCE_TEMPLATES,
    queryFn: ({ signal }) => call('GET /api/maintenance/template/get', { signal }),
  });

export const useTemplatePreview = (_id: number) =>
  useQuery({
    queryKey: [...MAINTENANCE_TEMPLATES, _id],
    queryFn: ({ signal }) => call('GET /api/maintenance/template/preview', { query: { _id }, signal }),
    gcTime: 0,
  });

export type SavedTemplate = {
  /** Undefined for a new template of this organization, brand and model. */
  readonly _id: number | undefined;
  readonly organization?: string;
  readonly brand: string;
  readonly model: string;
  readonly tasks: TaskFields[];
};

export function useSaveTemplate() {
  const renew = useRenewMaintenance();
  return useMutation({
    mutationFn: async ({ _id, tasks, ...named }: SavedTemplate) =>
      _id === undefined
        ? call('POST /api/maintenance/template/create', { body: { ...named, tasks } })
        : call('POST /api/maintenance/template/edit', { body: { _id, tasks } }),
    onSuccess: renew,
  });
}

export function useDeleteTemplate() {
  const renew = useRenewMaintenance();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/maintenance/template/delete', { body: { _id } }),
    onSuccess: renew,
  });
}

export function useApplyTemplate() {
  const renew = useRenewMaintenance();
  return useMutation({
    mutationFn: (body: { readonly _id: number; readonly serials: string[] }) =>
      call('POST /api/maintenance/template/apply', { body }),
    onSuccess: renew,
  });
}
