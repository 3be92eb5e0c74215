import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WantedLimit } from '#shared/contract/limits.ts';
import type { Role } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';

const INVITATIONS = ['invitations'] as const;
const APPLICANTS = ['applicants'] as const;

/** Queries the invitations that are not accepted yet, the newest first. */
export const useInvitations = () =>
  useQuery({
    queryKey: INVITATIONS,
    queryFn: ({ signal }) => call('GET /api/invitation/get', { signal }),
  });

/** Queries the people who wait for approval, the longest waiting first. */
export const useApplicants = () =>
  useQuery({ queryKey: APPLICANTS, queryFn: ({ signal }) => call('GET /api/applicant/get', { signal }) });

const renew = (client: QueryClient, key: readonly string[]): Promise<void> =>
  client.invalidateQueries({ queryKey: key });

export type NewInvitation = {
  readonly email: string;
  readonly role: Role;
  readonly organization: string;
  readonly limit: WantedLimit;
};

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewInvitation) => call('POST /api/invitation/create', { body }),
    onSuccess: () => renew(client, INVITATIONS),
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/invitation/revoke', { body: { _id } }),
    onSettled: () => renew(client, INVITATIONS),
  });
}

type Decision = { readonly _id: number; readonly admit: boolean };

/** Approves or refuses a person. Refreshes the list also after an error, because another user may have decided. */
export function useDecide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, admit }: Decision): Promise<{ message: string; link?: string | undefined }> =>
      admit
        ? call('POST /api/applicant/admit', { body: { _id } })
        : call('POST /api/applicant/refuse', { body: { _id } }),
    onSettled: async () => {
      await Promise.all([renew(client, APPLICANTS), renew(client, ['users'])]);
    },
  });
}
