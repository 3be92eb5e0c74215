import { invalid } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { FactorKind } from '#shared/contract/problem.ts';

const PURPOSE = 'factor set-up';
const VALID_MS = 10 * 60_000;

/**
 * Seals the secret or challenge of a factor that is being added. The browser returns the token with the device's answer, so
 * that the server stores nothing until the factor is confirmed.
 * @param asked the secret of an authenticator app, or the challenge of a passkey
 */
export const setUpToken = (
  secrets: Secrets,
  kind: FactorKind,
  accountId: number,
  asked: string,
  now: number,
): string => secrets.token(PURPOSE, JSON.stringify([kind, accountId, now + VALID_MS, asked]));

/**
 * Returns the secret or challenge from the token.
 * @throws ProblemError 400 when the token is not the portal's, belongs to another account, or has expired
 */
export function fromSetUpToken(
  secrets: Secrets,
  kind: FactorKind,
  accountId: number,
  token: string,
  now: number,
): string {
  const [isKind, isAccount, until, asked] = JSON.parse(
    secrets.readToken(PURPOSE, token) ?? '[]',
  ) as unknown[];
  if (isKind !== kind || isAccount !== accountId || typeof until !== 'number' || until < now)
    throw invalid('Dit duurde te lang. Begin opnieuw.');
  return String(asked);
}
