import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { ORGANIZATIONS, useRefreshOrganizations } from './organization-calls.ts';

/** Deletes an organization without data, by its functional name; for others see useLeave. */
export const useDeleteOrganization = () =>
  useMutation({
    mutationFn: (name: string) => call('DELETE /api/organization/delete/', { query: { name } }),
    onSuccess: useRefreshOrganizations(),
  });

/** Queries what a deletion would remove, each time that the dialog opens. */
export const useLeavePreview = (name: string) =>
  useQuery({
    queryKey: ['leave', name],
    queryFn: ({ signal }) => call('GET /api/organization/leave', { query: { name }, signal }),
    gcTime: 0,
  });

type Leave = { readonly name: string; readonly confirm: string; readonly isFinal: boolean };

export const useLeave = () =>
  useMutation({
    mutationFn: (body: Leave) => call('POST /api/organization/leave', { body }),
    onSuccess: useRefreshOrganizations(),
  });

export const useUndoLeave = () =>
  useMutation({
    mutationFn: (name: string) => call('POST /api/organization/leave/undo', { body: { name } }),
    onSuccess: useRefreshOrganizations(),
  });

/** Queries the organizations that are being deleted, for users who may delete organizations. */
export const useLeaving = (isAsked: boolean) =>
  useQuery({
    queryKey: [...ORGANIZATIONS, 'leaving'],
    queryFn: ({ signal }) => call('GET /api/organization/leaving', { signal }),
    enabled: isAsked,
  });
