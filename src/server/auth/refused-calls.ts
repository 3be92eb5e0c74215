import type { ProblemError } from '#server/platform/problem.ts';
import type { Refusal } from '#server/platform/refusals.ts';
import type { ApiKey } from '#shared/contract/api.ts';
import type { RefusalAction } from '#shared/domain/log-text.ts';

/** Calls with which a stranger may guess an identity or a mailed secret, each with the action of its refusals in the audit log. */
const GUESSABLE_CALLS: Partial<Record<ApiKey, RefusalAction>> = {
  'POST /api/auth/login': 'session.refuse',
  'POST /api/auth/login/code': 'session.refuse',
  'POST /api/auth/passkey/options': 'session.refuse',
  'POST /api/auth/passkey/login': 'session.refuse',
  'POST /api/auth/oidc/start': 'session.refuse',
  'POST /api/auth/oidc/confirm': 'session.refuse',
  'POST /api/account/proof': 'session.refuse-proof',
  'POST /api/account/password': 'session.refuse-proof',
  'POST /api/auth/register': 'register.refuse',
  'POST /api/auth/forgot-password': 'reset.refuse',
  'POST /api/auth/reset-password-with-code': 'reset.refuse',
  'POST /api/auth/reset-link': 'reset.refuse',
  'POST /api/auth/reset-password-with-link': 'reset.refuse',
  'POST /api/auth/confirm-address': 'confirm.refuse',
  'POST /api/auth/oidc/invitation': 'invitation.refuse',
  'POST /api/invitation/look': 'invitation.refuse',
  'POST /api/invitation/accept': 'invitation.refuse',
};

/**
 * Returns the entry of the refusal log for a problem (ASVS 5.0 V16.3.1, V16.3.2): a wrong guess, too many guesses, a right guess by
 * a person who is not admitted, and a forbidden call. Returns undefined for other problems, such as an invalid form.
 * @param body the request's body as it was sent
 */
export function refusalEntryOf(
  call: ApiKey,
  { code, guess }: ProblemError,
  body: unknown,
): Pick<Refusal, 'action' | 'accountId' | 'email'> | undefined {
  const action = GUESSABLE_CALLS[call];
  if (!action) return code === 'forbidden' ? { action: 'call.refuse' } : undefined;
  if (!guess && code !== 'forbidden' && code !== 'too_many_requests') return undefined;
  const named = (body as { email?: unknown } | undefined)?.email;
  const email = guess?.email ?? (typeof named === 'string' ? named : '');
  return { action, accountId: guess?.accountId, email: email.trim().toLowerCase() };
}
