import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WantedLimit } from '#shared/contract/limits.ts';
import type { Role } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { forgetDeletedAccount } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';

const USERS = ['users'] as const;

/** Queries the accounts that the user may see, by e-mail address. */
export const useUsers = () =>
  useQuery({ queryKey: USERS, queryFn: ({ signal }) => call('GET /api/user/get', { signal }) });

/** Queries the organizations to which an account can move. The key is that of every list of organizations. */
export const useDestinations = (isEnabled = true) =>
  useQuery({
    queryKey: ['organizations'],
    enabled: isEnabled,
    queryFn: ({ signal }) => call('GET /api/organization/get', { signal }),
  });

/** Returns a function that refreshes the list of accounts, or ends the session if the user changed their own account. */
function useAfterChange(): (_answer: unknown, change: { readonly email: string }) => Promise<void> {
  const client = useQueryClient();
  const self = useUser();
  return async (_, { email }) => {
    if (email === self.email) forgetDeletedAccount(client);
    else await client.invalidateQueries({ queryKey: USERS });
  };
}

export const useDeleteUser = () =>
  useMutation({
    mutationFn: ({ email, mayReturn }: { readonly email: string; readonly mayReturn: boolean }) =>
      call('DELETE /api/user/delete', { query: { email, mayReturn: mayReturn ? 'true' : 'false' } }),
    onSuccess: useAfterChange(),
  });

export const useGiveRole = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly role: Role }) =>
      call('POST /api/user/role', { body }),
    onSuccess: useAfterChange(),
  });

export const useLimitUser = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly limit: WantedLimit }) =>
      call('POST /api/user/limit', { body }),
    onSuccess: useAfterChange(),
  });

export const useMoveUser = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly organization: string }) =>
      call('POST /api/user/organization', { body }),
    onSuccess: useAfterChange(),
  });

/** Creates a link to hand over, if the portal sends no mail. */
export const useLink = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly what: 'confirm' | 'password' }) =>
      call('POST /api/user/link', { body }),
  });

export const useResetFactor = () =>
  useMutation({
    mutationFn: (body: { readonly email: string }) => call('POST /api/user/reset-factor', { body }),
    onSuccess: useAfterChange(),
  });
