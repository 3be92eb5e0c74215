import type { ProblemError } from '#server/platform/problem.ts';
import type { Refusal } from '#server/platform/refusals.ts';
import type { ApiKey } from '#shared/contract/api.ts';
import type { ProblemCode } from '#shared/contract/problem.ts';
import type { RefusalAction } from '#shared/domain/log-words.ts';

const LIMITED: ProblemCode = 'too_many_requests';

/** Calls by which somebody may be guessing, and with what they are told that it was wrong. */
const GUESSES: Partial<Record<ApiKey, readonly [RefusalAction, ...ProblemCode[]]>> = {
  'POST /api/auth/login': ['session.refuse', 'bad_credentials', 'forbidden', LIMITED],
  'POST /api/account/proof': ['session.refuse-proof', 'invalid', LIMITED],
  'POST /api/auth/register': ['register.refuse', 'invalid', 'forbidden', LIMITED],
  'POST /api/auth/forgot-password': ['reset.refuse', 'forbidden', LIMITED],
  'POST /api/auth/reset-password-with-code': ['reset.refuse', 'invalid', 'forbidden', LIMITED],
};

/**
 * What of a problem is a refusal for the log (ASVS 5.0 V16.3.1, V16.3.2): a wrong guess at who somebody is, and a call that
 * somebody may not make. A form that was filled in wrongly is none.
 * @param body as it was sent
 */
export function refusalOf(
  call: ApiKey,
  { code, faults }: ProblemError,
  body: unknown,
): Pick<Refusal, 'action' | 'email'> | undefined {
  const [action, ...codes] = GUESSES[call] ?? ['call.refuse', 'forbidden'];
  if (faults || !codes.some((one) => one === code)) return undefined;
  const email = (body as { email?: unknown } | undefined)?.email;
  return { action, ...(GUESSES[call] && typeof email === 'string' && { email: email.trim().toLowerCase() }) };
}
