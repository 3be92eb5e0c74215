import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WantedLimit } from '#shared/contract/limits.ts';
import type { Role } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { forgetDeletedAccount } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';

const USERS = ['users'] as const;

/** Everybody whom one sees to, by e-mail. */
export const useUsers = () =>
  useQuery({ queryKey: USERS, queryFn: ({ signal }) => call('GET /api/user/get', { signal }) });

/** Where a user can go. Its key begins as every list of organizations does. */
export const useDestinations = (isEnabled = true) =>
  useQuery({
    queryKey: ['organizations'],
    enabled: isEnabled,
    queryFn: ({ signal }) => call('GET /api/organization/get', { signal }),
  });

/** Resolves once the list is new as well; who changes their own account has no session any more. */
function useAftermath(): (_answer: unknown, change: { readonly email: string }) => Promise<void> {
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
    onSuccess: useAftermath(),
  });

export const useGiveRole = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly role: Role }) =>
      call('POST /api/user/role', { body }),
    onSuccess: useAftermath(),
  });

export const useLimitUser = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly limit: WantedLimit }) =>
      call('POST /api/user/limit', { body }),
    onSuccess: useAftermath(),
  });

export const useMoveUser = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly organization: string }) =>
      call('POST /api/user/organization', { body }),
    onSuccess: useAftermath(),
  });

/** A link to hand over, where no mail server brings it. */
export const useLink = () =>
  useMutation({
    mutationFn: (body: { readonly email: string; readonly what: 'confirm' | 'password' }) =>
      call('POST /api/user/link', { body }),
  });

export const useResetFactor = () =>
  useMutation({
    mutationFn: (body: { readonly email: string }) => call('POST /api/user/reset-factor', { body }),
    onSuccess: useAftermath(),
  });
