import type { Secrets } from '#server/platform/secrets.ts';

const PURPOSE = 'report-unsubscribe';

/** Returns the token of the unsubscribe link. Its holder can end this one subscription, and learns nothing. */
export const reportUnsubscribeToken = (secrets: Secrets, subscriptionId: number): string =>
  secrets.token(PURPOSE, String(subscriptionId));

/** Returns the subscription's id; undefined: the token is invalid. */
export function readReportUnsubscribeToken(secrets: Secrets, token: string): number | undefined {
  try {
    return Number(secrets.readToken(PURPOSE, token));
  } catch {
    return undefined;
  }
}
