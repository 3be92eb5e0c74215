import { unsubscribeToken } from '#server/mail/unsubscribe-token.ts';
import type { Secrets } from '#server/platform/secrets.ts';

const CHARGING = 'unsubscribe';

/** Makes and checks the token in the unsubscribe link of alert mails, which ends all alert mails to an account. */
export const alertUnsubscribeToken = unsubscribeToken('alert-unsubscribe');

export type ChargingSubscription = { readonly streamId: number; readonly accountId: number };
/** A subscription with the machine's serial at the time of the mail. */
export type MailedSubscription = ChargingSubscription & { readonly serial: string };

/**
 * Returns the token of the unsubscribe link in charging mails. Its holder can end this one subscription, and learns nothing beyond the
 * mail.
 */
export const chargingUnsubscribeToken = (
  secrets: Secrets,
  { streamId, accountId, serial }: MailedSubscription,
): string => secrets.token(CHARGING, `${streamId} ${accountId} ${serial}`);

/** Returns the subscription of a token; undefined: the token is invalid. */
export function readChargingUnsubscribeToken(
  secrets: Secrets,
  token: string,
): MailedSubscription | undefined {
  const [, streamId, accountId, serial] =
    /^(\d+) (\d+) (.*)$/.exec(secrets.readToken(CHARGING, token) ?? '') ?? [];
  if (serial === undefined) return undefined;
  return { streamId: Number(streamId), accountId: Number(accountId), serial };
}
