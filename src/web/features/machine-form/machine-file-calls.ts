import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { manualKey, photoKey } from '#web/machines/machine-keys.ts';

export type StoredFile = { readonly url: string };
export type StoredManual = StoredFile & { readonly name: string; readonly size: number };

/** A machine without one is no failure. */
const orNone = (error: unknown): null => {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
};

/** null: the machine has none. */
export const usePhoto = (serial: string) =>
  useQuery<StoredFile | null>({
    queryKey: photoKey(serial),
    queryFn: ({ signal }) => call('GET /api/img/:serial', { params: { serial }, signal }).catch(orNone),
  });

/** null: the machine has none. */
export const useManual = (serial: string) =>
  useQuery<StoredManual | null>({
    queryKey: manualKey(serial),
    queryFn: ({ signal }) => call('GET /api/manual/:serial', { params: { serial }, signal }).catch(orNone),
  });

type SendFile = (file: File, onProgress: (done: number) => void) => Promise<void>;

/** The new photo is shown at once, without asking for it again (MEDIT-08). */
export function useSendPhoto(serial: string): SendFile {
  const client = useQueryClient();
  return async (file, onProgress) => {
    const body = { name: file.name, serial, file: await dataUrlOf(file) };
    const { url } = await uploadWithProgress('POST /api/img/upload', body, { onProgress });
    client.setQueryData<StoredFile>(photoKey(serial), { url });
  };
}

export function useSendManual(serial: string): SendFile {
  const client = useQueryClient();
  return async (file, onProgress) => {
    const body = { name: file.name, serial, size: file.size, file: await dataUrlOf(file) };
    const { url, size } = await uploadWithProgress('POST /api/manual/upload', body, { onProgress });
    client.setQueryData<StoredManual>(manualKey(serial), { url, size, name: file.name });
  };
}

export function useDeletePhoto(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/img/delete', { body: { serial } }),
    onSuccess: () => client.setQueryData(photoKey(serial), null),
  });
}

export function useDeleteManual(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/manual/delete', { body: { serial } }),
    onSuccess: () => client.setQueryData(manualKey(serial), null),
  });
}
