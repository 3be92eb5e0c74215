import type { Secrets } from '#server/platform/secrets.ts';

const PURPOSE = 'report-unsubscribe';

/** Of the address in a mail: whoever has it can end this one subscription, and learns nothing. */
export const reportUnsubscribeToken = (secrets: Secrets, subscriptionId: number): string =>
  secrets.token(PURPOSE, String(subscriptionId));

/** The subscription's id; undefined: no token of ours. */
export function readReportUnsubscribeToken(secrets: Secrets, token: string): number | undefined {
  try {
    return Number(secrets.readToken(PURPOSE, token));
  } catch {
    return undefined;
  }
}
