import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FactorFields } from '#shared/contract/report-factors.ts';
import { call } from '#web/lib/api.ts';

const FACTORS = ['report-factors'] as const;

export const useFactors = () =>
  useQuery({ queryKey: FACTORS, queryFn: ({ signal }) => call('GET /api/report-factor/get', { signal }) });

/** Of whom an administrator enters factors. Its key begins as every list of organizations does. */
export const useOwners = (isAsked: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isAsked,
  });

/** Reports reckon with them: whatever is shown of those is asked for again too. */
function useRenewal(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([FACTORS, ['report']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** `_id` undefined: a new one, of `organization` where an administrator says it. */
export type SavedFactor = FactorFields & { readonly _id?: number; readonly organization?: string };

export const useSaveFactor = () =>
  useMutation({
    mutationFn: ({ _id, ...factor }: SavedFactor) =>
      _id === undefined
        ? call('POST /api/report-factor/create', { body: factor })
        : call('POST /api/report-factor/edit', { body: { ...factor, _id } }),
    onSuccess: useRenewal(),
  });

export const useDeleteFactor = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/report-factor/delete', { body: { _id } }),
    onSuccess: useRenewal(),
  });
