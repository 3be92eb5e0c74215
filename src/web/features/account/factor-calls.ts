import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { createPasskey } from '#web/session/passkey.ts';

const FACTORS = ['factors'] as const;

/** The user's second factors and the number of unused recovery codes. */
export const useFactors = () =>
  useQuery({ queryKey: FACTORS, queryFn: ({ signal }) => call('GET /api/account/factors', { signal }) });

/** Changes the factors. Resolves once the list is reloaded. */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: FACTORS }) });
}

/** A new secret for an authenticator app. The server adds no factor until useAddTotp confirms the secret. */
export const useTotpSecret = () =>
  useQuery({
    queryKey: ['totp-secret'],
    queryFn: () => call('POST /api/account/factors/totp'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

type TotpConfirmation = { readonly token: string; readonly factorName: string; readonly code: string };
export const useAddTotp = () =>
  useChange((body: TotpConfirmation) => call('POST /api/account/factors/totp/confirm', { body }));

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
