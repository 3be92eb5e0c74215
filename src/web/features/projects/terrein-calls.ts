import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Terrein } from '#shared/contract/terreinen.ts';
import { call } from '#web/lib/api.ts';
import { TERREINEN } from '#web/machines/terreinen.ts';

export type TerreinFields = Pick<Terrein, 'terreinName' | 'terreinKind' | 'areas'>;

const useRefresh = () => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: TERREINEN });
};

export const useCreateTerrein = () =>
  useMutation({
    mutationFn: (body: TerreinFields & { readonly organization?: string }) =>
      call('POST /api/terrein/create', { body }),
    onSuccess: useRefresh(),
  });

export const useEditTerrein = () =>
  useMutation({
    mutationFn: (body: TerreinFields & Pick<Terrein, '_id' | 'version'>) =>
      call('POST /api/terrein/edit', { body }),
    onSuccess: useRefresh(),
  });

export const useDeleteTerrein = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/terrein/delete', { body: { _id } }),
    onSuccess: useRefresh(),
  });
