import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '#shared/contract/webhooks.ts';
import { call } from '#web/lib/api.ts';

const EVERY_MS = 15_000;
/** While somebody waits for what becomes of a message. */
const FOLLOW_MS = 1_000;
/** ms; longer than the first try takes. */
const FOLLOWED_FOR = 60_000;

const WEBHOOKS = ['webhooks'] as const;

const isFirstUnderWay = ({ tries, nextTryAt, askedAt }: WebhookDelivery): boolean =>
  tries === 0 && nextTryAt !== null && Date.now() - Date.parse(askedAt) < FOLLOWED_FOR;

/** The webhooks of an organization with the log of what was sent to them, which tells how they are. */
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

/** What an organization is called. The key is that of every list of organizations. */
export const useOrganizationName = (name: string): string | undefined =>
  useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) => call('GET /api/organization/get', { signal }),
  }).data?.find((one) => one.name === name)?.clean;

/** Done once the page shows it as well, or could not be renewed, which it says itself. */
function useRenewal(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: WEBHOOKS });
}

type Fields = { readonly webhookName: string; readonly webhookUrl: string };

export const useCreateWebhook = () =>
  useMutation({
    mutationFn: (body: Fields & { readonly name: string }) => call('POST /api/webhook/create', { body }),
    onSuccess: useRenewal(),
  });

export const useEditWebhook = () =>
  useMutation({
    mutationFn: (body: Fields & { readonly _id: number }) => call('POST /api/webhook/edit', { body }),
    onSuccess: useRenewal(),
  });

export const useRenewSecret = () =>
  useMutation({ mutationFn: (_id: number) => call('POST /api/webhook/secret', { body: { _id } }) });

export const useSwitchWebhook = () =>
  useMutation({
    mutationFn: (body: { readonly _id: number; readonly isOn: boolean }) =>
      call('POST /api/webhook/switch', { body }),
    onSuccess: useRenewal(),
  });

export const useTestWebhook = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/webhook/test', { body: { _id } }),
    onSuccess: useRenewal(),
  });

export const useDeleteWebhook = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/webhook/delete', { body: { _id } }),
    onSuccess: useRenewal(),
  });

/** @param _id of a row of the log */
export const useResend = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/webhook/resend', { body: { _id } }),
    onSuccess: useRenewal(),
  });
