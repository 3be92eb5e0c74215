import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TariffFields } from '#shared/contract/charging-tariffs.ts';
import { call } from '#web/lib/api.ts';

const TARIFFS = ['charging-tariffs'] as const;

export const useTariffs = () =>
  useQuery({ queryKey: TARIFFS, queryFn: ({ signal }) => call('GET /api/charging-tariff/get', { signal }) });

export const useTerreinen = () =>
  useQuery({ queryKey: ['terreinen'], queryFn: ({ signal }) => call('GET /api/terrein/get', { signal }) });

/** Returns a function that refreshes every query with costs: tariffs, reports, and the days and sessions of machines. */
function useRefreshCosts(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [TARIFFS, ['report'], ['machine-days'], ['machine-sessions']].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

/** A tariff to store. Without `_id` it is a new one; an administrator then sets `organization`. */
export type SavedTariff = TariffFields & { readonly _id?: number; readonly organization?: string };

export const useSaveTariff = () =>
  useMutation({
    mutationFn: ({ _id, ...tariff }: SavedTariff) =>
      _id === undefined
        ? call('POST /api/charging-tariff/create', { body: tariff })
        : call('POST /api/charging-tariff/edit', { body: { ...tariff, _id } }),
    onSuccess: useRefreshCosts(),
  });

export const useDeleteTariff = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/charging-tariff/delete', { body: { _id } }),
    onSuccess: useRefreshCosts(),
  });
