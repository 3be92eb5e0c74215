import type { Secrets } from '#server/platform/secrets.ts';

const ALERTS = 'alert-unsubscribe';
const CHARGING = 'unsubscribe';

/** Returns the token of the unsubscribe link in alert mails. Its holder can end the alert mails of this account, and learns nothing. */
export const alertUnsubscribeToken = (secrets: Secrets, accountId: number): string =>
  secrets.token(ALERTS, String(accountId));

/** Returns the account's id; undefined: the token is invalid. */
export function readAlertUnsubscribeToken(secrets: Secrets, token: string): number | undefined {
  try {
    return Number(secrets.readToken(ALERTS, token));
  } catch {
    return undefined;
  }
}

export type Subscription = { readonly streamId: number; readonly accountId: number };
/** A subscription with the machine's serial at the time of the mail. */
export type Mailed = Subscription & { readonly serial: string };

/**
 * Returns the token of the unsubscribe link in charging mails. Its holder can end this one subscription, and learns nothing beyond the
 * mail.
 */
export const chargingToken = (secrets: Secrets, { streamId, accountId, serial }: Mailed): string =>
  secrets.token(CHARGING, `${streamId} ${accountId} ${serial}`);

/** Returns the subscription of a token; undefined: the token is invalid. */
export function readChargingToken(secrets: Secrets, token: string): Mailed | undefined {
  const [, streamId, accountId, serial] = /^(\d+) (\d+) (.*)$/.exec(textOf(secrets, token) ?? '') ?? [];
  if (serial === undefined) return undefined;
  return { streamId: Number(streamId), accountId: Number(accountId), serial };
}

function textOf(secrets: Secrets, token: string): string | undefined {
  try {
    return secrets.readToken(CHARGING, token);
  } catch {
    return undefined;
  }
}
