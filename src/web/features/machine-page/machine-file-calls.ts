import { useQuery } from '@tanstack/react-query';
import { ApiError, call } from '#web/lib/api.ts';
import { manualKey, photoKey } from '#web/machines/machine-keys.ts';

/** A machine without a photo or manual is no failure. */
const orNone = (error: unknown): null => {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
};

/** null: the machine has none. */
export const usePhoto = (serial: string) =>
  useQuery<{ readonly url: string } | null>({
    queryKey: photoKey(serial),
    queryFn: ({ signal }) => call('GET /api/img/:serial', { params: { serial }, signal }).catch(orNone),
  });

/** null: the machine has none. */
export const useManual = (serial: string) =>
  useQuery<{ readonly url: string } | null>({
    queryKey: manualKey(serial),
    queryFn: ({ signal }) => call('GET /api/manual/:serial', { params: { serial }, signal }).catch(orNone),
  });
