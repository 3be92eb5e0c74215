import type { Secrets } from '#server/platform/secrets.ts';

const PURPOSE = 'alert-unsubscribe';

/** Of the address in a mail: whoever has it can end the alerts by mail of this account, and learns nothing. */
export const alertUnsubscribeToken = (secrets: Secrets, accountId: number): string =>
  secrets.token(PURPOSE, String(accountId));

/** The account's id; undefined: no token of ours. */
export function readAlertUnsubscribeToken(secrets: Secrets, token: string): number | undefined {
  try {
    return Number(secrets.readToken(PURPOSE, token));
  } catch {
    return undefined;
  }
}
