import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Registration } from '#shared/contract/organizations.ts';
import { call } from '#web/lib/api.ts';

/** First part of the key of every list of organizations, so that a change refreshes them all. */
export const ORGANIZATIONS = ['organizations'] as const;

/** Queries all organizations for an administrator, and for other users their own. */
export const useOrganizations = () =>
  useQuery({
    queryKey: ORGANIZATIONS,
    queryFn: ({ signal }) => call('GET /api/organization/get', { signal }),
  });

/** Returns a function that refreshes the lists of organizations. It resolves also when a refresh fails, which the lists show. */
export function useRefreshOrganizations(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ORGANIZATIONS });
}

type NewOrganization = { readonly name: string; readonly clean: string; readonly isLmbCustomer: boolean };

export const useCreateOrganization = () =>
  useMutation({
    mutationFn: ({ name, clean, isLmbCustomer }: NewOrganization) =>
      call('GET /api/organization/create', {
        query: { name, clean, isBerende: isLmbCustomer ? 'true' : 'false' },
      }),
    onSuccess: useRefreshOrganizations(),
  });

/** Sets the wanted state instead of toggling, so that two administrators do not undo each other's change. */
export const useSwitchOrganization = () =>
  useMutation({
    mutationFn: ({ name, isActive }: { readonly name: string; readonly isActive: boolean }) =>
      call('GET /api/organization/disable/', { query: { name, isActive: isActive ? 'true' : 'false' } }),
    onSuccess: useRefreshOrganizations(),
  });

export const useRenewCode = () =>
  useMutation({
    mutationFn: (name: string) => call('POST /api/organization/code', { body: { name } }),
    onSuccess: useRefreshOrganizations(),
  });

/** Changes the display name. Refreshes every query, because any may hold the name. */
export function useRename() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly name: string; readonly clean: string }) =>
      call('POST /api/organization/clean', { body }),
    onSuccess: () => client.invalidateQueries(),
  });
}

export const useSetRegistration = () =>
  useMutation({
    mutationFn: (body: { readonly name: string; readonly registration: Registration }) =>
      call('POST /api/organization/registration', { body }),
    onSuccess: useRefreshOrganizations(),
  });
