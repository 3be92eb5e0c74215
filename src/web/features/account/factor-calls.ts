import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { createPasskey } from '#web/session/passkey.ts';

const FACTORS = ['factors'] as const;

/** One's own second factors. */
export const useFactors = () =>
  useQuery({ queryKey: FACTORS, queryFn: ({ signal }) => call('GET /api/account/factors', { signal }) });

/** A change of them; resolves once the list is new as well. */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: FACTORS }) });
}

/** A secret for an authenticator app: asked once, and nothing is added by it. */
export const useTotpSecret = () =>
  useQuery({
    queryKey: ['totp-secret'],
    queryFn: () => call('POST /api/account/factors/totp'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

type Shown = { readonly token: string; readonly factorName: string; readonly code: string };
export const useAddTotp = () =>
  useChange((body: Shown) => call('POST /api/account/factors/totp/confirm', { body }));

export const useAddPasskey = () =>
  useChange(async (factorName: string) => {
    const { token, options } = await call('POST /api/account/factors/passkey');
    const passkey = await createPasskey(options);
    return call('POST /api/account/factors/passkey/confirm', { body: { token, factorName, passkey } });
  });

export const useRenameFactor = () =>
  useChange((body: { readonly id: number; readonly factorName: string }) =>
    call('POST /api/account/factors/rename', { body }),
  );

export const useRemoveFactor = () =>
  useChange((id: number) => call('DELETE /api/account/factors', { query: { id } }));

export const useNewRecoveryCodes = () =>
  useChange((_: undefined) => call('POST /api/account/factors/recovery-codes'));
