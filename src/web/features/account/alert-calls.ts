import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlertPreferences } from '#shared/contract/alerts.ts';
import { call } from '#web/lib/api.ts';

const PREFERENCES = ['alert-preferences'] as const;

/** How the user is notified of alerts, and what they muted. */
export const useAlertPreferences = () =>
  useQuery({
    queryKey: PREFERENCES,
    queryFn: ({ signal }) => call('GET /api/alert/preferences', { signal }),
  });

export function useSaveAlertPreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<AlertPreferences, 'mutes'>) => call('POST /api/alert/preferences', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: PREFERENCES }),
  });
}

/** Ends a mute by its id. Resolves once the preferences are reloaded, also when the mute had already ended. */
export function useUnmute() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/alert/unmute', { body: { _id } }),
    onSettled: () => client.invalidateQueries({ queryKey: PREFERENCES }),
  });
}
