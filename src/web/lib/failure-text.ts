import { ApiError } from './api.ts';

/**
 * What a person reads when a call failed: the server's own words, else `fallback`; when there was no answer at
 * all, the cause stands behind it, since nothing that is typed will help then (AUTH-05).
 */
export function failureText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.fromServer && error.message !== '') return error.message;
  return error.code === 'network' ? `${fallback} ${error.message}` : fallback;
}
