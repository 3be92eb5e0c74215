import { ApiError } from '#web/lib/api.ts';

/** Specification section 8. */
const FALLBACK = 'Login failed. Please check your credentials.';

/**
 * The server's own words (AUTH-05), else the specification's; when there was no answer at all, the cause stands
 * behind it, since no credentials will help then.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return FALLBACK;
  if (error.fromServer && error.message !== '') return error.message;
  return error.code === 'network' ? `${FALLBACK} ${error.message}` : FALLBACK;
}
