import { invalid } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { FactorKind } from '#shared/contract/problem.ts';

const PURPOSE = 'factor set-up';
const VALID_MS = 10 * 60_000;

/**
 * What was asked of a device that is being added, sealed: the browser brings it back with the device's answer, and
 * nothing of what was only begun is kept.
 * @param asked the secret of an authenticator app, or the challenge of a passkey
 */
export const setUpToken = (
  secrets: Secrets,
  kind: FactorKind,
  accountId: number,
  asked: string,
  now: number,
): string => secrets.token(PURPOSE, JSON.stringify([kind, accountId, now + VALID_MS, asked]));

/** @throws ProblemError 400 when it is not ours, not this account's, or too old */
export function fromSetUpToken(
  secrets: Secrets,
  kind: FactorKind,
  accountId: number,
  token: string,
  now: number,
): string {
  const [isKind, isAccount, until, asked] = opened(secrets, token);
  if (isKind !== kind || isAccount !== accountId || typeof until !== 'number' || until < now)
    throw invalid('Dit duurde te lang. Begin opnieuw.');
  return String(asked);
}

function opened(secrets: Secrets, token: string): unknown[] {
  try {
    return JSON.parse(secrets.readToken(PURPOSE, token));
  } catch {
    return [];
  }
}
