import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { forgetDeletedAccount, renameUser } from '#web/session/session.ts';

const SESSIONS = ['own-sessions'] as const;
const SUBSCRIPTIONS = ['own-subscriptions'] as const;

/** Changes the name of the signed-in user, also where the page shows it. */
export function useRename() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (displayName: string) => call('POST /api/account/name', { body: { displayName } }),
    onSuccess: ({ name }) => renameUser(client, name ?? undefined),
  });
}

export const useOwnSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: ({ signal }) => call('GET /api/account/sessions', { signal }) });

/** Ends one session by its id. Resolves once the list is reloaded, also when the session had already ended. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('POST /api/account/sessions/end', { body: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** Ends every session but this one. Resolves once the list is reloaded. */
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

/** Ends the charging mails of a machine, by its serial number. */
export function useUnsubscribe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (serialNumber: string) => call('POST /api/mail/unsubscribe', { body: { serialNumber } }),
    onSuccess: (_, serialNumber) => {
      // Also removes the cached answer of the machine's page.
      client.removeQueries({ queryKey: ['subscription', serialNumber] });
      return client.invalidateQueries({ queryKey: SUBSCRIPTIONS });
    },
  });
}

/** Deletes the user's account and ends the session in this browser. */
export function useDeleteAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/account'),
    onSuccess: () => forgetDeletedAccount(client),
  });
}
