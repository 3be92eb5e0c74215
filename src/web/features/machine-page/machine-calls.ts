import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

const subscriptionKey = (serial: string) => ['subscription', serial] as const;

/** Whether the person gets mails about the charging of the machine (MDET-07). */
export const useSubscription = (serial: string) =>
  useQuery({
    queryKey: subscriptionKey(serial),
    queryFn: async ({ signal }) =>
      (await call('GET /api/mail/subscription-status', { query: { serialNumber: serial }, signal }))
        .isSubscribed,
  });

/** `mutateAsync(true)` subscribes, false unsubscribes; what is shown is what the server stored. */
export function useSetSubscription(serial: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (isSubscribed: boolean) => {
      const body = { serialNumber: serial };
      if (isSubscribed) await call('POST /api/mail/subscribe', { body });
      else await call('POST /api/mail/unsubscribe', { body });
      return isSubscribed;
    },
    onMutate: () => client.cancelQueries({ queryKey: subscriptionKey(serial) }),
    onSuccess: (isSubscribed) => client.setQueryData<boolean>(subscriptionKey(serial), isSubscribed),
  });
}
