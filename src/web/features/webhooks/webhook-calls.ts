import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '#shared/contract/webhooks.ts';
import { call } from '#web/lib/api.ts';

const EVERY_MS = 15_000;
/** Polls faster while the first try of a message is in progress. */
const FOLLOW_MS = 1_000;
/** Time for which a page polls fast after a message was sent: longer than its first try takes. */
const FOLLOW_FOR_MS = 60_000;

const WEBHOOKS = ['webhooks'] as const;

const isFirstUnderWay = ({ tries, nextTryAt, askedAt }: WebhookDelivery): boolean =>
  tries === 0 && nextTryAt !== null && Date.now() - Date.parse(askedAt) < FOLLOW_FOR_MS;

/** Queries the webhooks of an organization and the log of their deliveries. */
export const useWebhooks = (name: string) =>
  useQuery({
    queryKey: [...WEBHOOKS, name],
    queryFn: async ({ signal }) => {
      const [log, webhooks] = await Promise.all([
        call('GET /api/webhook/log', { query: { name }, signal }),
        call('GET /api/webhook/get', { query: { name }, signal }),
      ]);
      return { log, webhooks };
    },
    refetchInterval: ({ state }) => (state.data?.log.some(isFirstUnderWay) ? FOLLOW_MS : EVERY_MS),
  });

/** Returns the display name of an organization. The query key is that of every list of organizations. */
export const useOrganizationName = (name: string): string | undefined =>
  useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) => call('GET /api/organization/get', { signal }),
  }).data?.find((one) => one.name === name)?.clean;

/** Returns a function that refreshes the webhooks. It resolves also when the refresh fails, which the page shows. */
function useRefreshWebhooks(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: WEBHOOKS });
}

type Fields = { readonly webhookName: string; readonly webhookUrl: string };

export const useCreateWebhook = () =>
  useMutation({
    mutationFn: (body: Fields & { readonly name: string }) => call('POST /api/webhook/create', { body }),
    onSuccess: useRefreshWebhooks(),
  });

export const useEditWebhook = () =>
  useMutation({
    mutationFn: (body: Fields & { readonly _id: number }) => call('POST /api/webhook/edit', { body }),
    onSuccess: useRefreshWebhooks(),
  });

export const useRenewSecret = () =>
  useMutation({ mutationFn: (_id: number) => call('POST /api/webhook/secret', { body: { _id } }) });

export const useSwitchWebhook = () =>
  useMutation({
    mutationFn: (body: { readonly _id: number; readonly isOn: boolean }) =>
      call('POST /api/webhook/switch', { body }),
    onSuccess: useRefreshWebhooks(),
  });

export const useTestWebhook = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/webhook/test', { body: { _id } }),
    onSuccess: useRefreshWebhooks(),
  });

export const useDeleteWebhook = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/webhook/delete', { body: { _id } }),
    onSuccess: useRefreshWebhooks(),
  });

/** Sends a message again, by the `_id` of its row in the log. */
export const useResend = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/webhook/resend', { body: { _id } }),
    onSuccess: useRefreshWebhooks(),
  });
