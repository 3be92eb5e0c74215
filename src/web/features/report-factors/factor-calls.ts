import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FactorFields } from '#shared/contract/report-factors.ts';
import { call } from '#web/lib/api.ts';

const FACTORS = ['report-factors'] as const;

export const useFactors = () =>
  useQuery({ queryKey: FACTORS, queryFn: ({ signal }) => call('GET /api/report-factor/get', { signal }) });

/**
 * Queries the organizations for which an administrator can enter factors. The key starts as that of every list of
 * organizations.
 */
export const useOwners = (isAsked: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isAsked,
  });

/** Returns a function that refreshes the factors, and the reports that are computed from them. */
function useRefreshCosts(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([FACTORS, ['report']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** A factor to store. Without `_id` it is a new one; an administrator then sets `organization`. */
export type SavedFactor = FactorFields & { readonly _id?: number; readonly organization?: string };

export const useSaveFactor = () =>
  useMutation({
    mutationFn: ({ _id, ...factor }: SavedFactor) =>
      _id === undefined
        ? call('POST /api/report-factor/create', { body: factor })
        : call('POST /api/report-factor/edit', { body: { ...factor, _id } }),
    onSuccess: useRefreshCosts(),
  });

export const useDeleteFactor = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/report-factor/delete', { body: { _id } }),
    onSuccess: useRefreshCosts(),
  });
