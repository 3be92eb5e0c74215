import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Registration } from '#shared/contract/organizations.ts';
import { call } from '#web/lib/api.ts';

/** Every list of organizations in the portal begins with this key, so that a change renews them all. */
export const ORGANIZATIONS = ['organizations'] as const;

/** All organizations for an administrator, their own for anyone else. */
export const useOrganizations = () =>
  useQuery({
    queryKey: ORGANIZATIONS,
    queryFn: ({ signal }) => call('GET /api/organization/get', { signal }),
  });

/** Resolves once the lists are new as well, or could not be renewed, which they say themselves. */
export function useRenewal(): () => Promise<void> {
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
    onSuccess: useRenewal(),
  });

/** Always sets: two administrators at once do not undo each other. */
export const useSwitchOrganization = () =>
  useMutation({
    mutationFn: ({ name, isActive }: { readonly name: string; readonly isActive: boolean }) =>
      call('GET /api/organization/disable/', { query: { name, isActive: isActive ? 'true' : 'false' } }),
    onSuccess: useRenewal(),
  });

export const useRenewCode = () =>
  useMutation({
    mutationFn: (name: string) => call('POST /api/organization/code', { body: { name } }),
    onSuccess: useRenewal(),
  });

/** Everything that is loaded may name the organization. */
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
    onSuccess: useRenewal(),
  });
