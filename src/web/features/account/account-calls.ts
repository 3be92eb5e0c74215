import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { forgetDeletedAccount, renameUser } from '#web/session/session.ts';

const SESSIONS = ['own-sessions'] as const;
const SUBSCRIPTIONS = ['own-subscriptions'] as const;

/** `mutateAsync(name)`: what the person is called from now on, everywhere on the page. */
export function useRename() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (displayName: string) => call('POST /api/account/name', { body: { displayName } }),
    onSuccess: ({ name }) => renameUser(client, name ?? undefined),
  });
}

export const useOwnSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: ({ signal }) => call('GET /api/account/sessions', { signal }) });

/** Both resolve once the list is new as well, also when the session was gone already. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('POST /api/account/sessions/end', { body: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
}
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/account/sessions/end-others'),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
}

export const useOwnSubscriptions = () =>
  useQuery({
    queryKey: SUBSCRIPTIONS,
    queryFn: ({ signal }) => call('GET /api/account/subscriptions', { signal }),
  });

/** `mutateAsync(serial)`: no more mails about the charging of that machine. */
export function useUnsubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (serialNumber: string) => call('POST /api/mail/unsubscribe', { body: { serialNumber } }),
    onSuccess: (_, serialNumber) => {
      // As the machine's own page knows it.
      client.removeQueries({ queryKey: ['subscription', serialNumber] });
      return client.invalidateQueries({ queryKey: SUBSCRIPTIONS });
    },
  });
}

/** Afterwards nobody is signed in here. */
export function useDeleteAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/account'),
    onSuccess: () => forgetDeletedAccount(client),
  });
}
