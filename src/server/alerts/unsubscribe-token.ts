import type { Secrets } from '#server/platform/secrets.ts';

const ALERTS = 'alert-unsubscribe';
const CHARGING = 'unsubscribe';

/** Of the address in a mail: whoever has it can end the alerts by mail of this account, and learns nothing. */
export const alertUnsubscribeToken = (secrets: Secrets, accountId: number): string =>
  secrets.token(ALERTS, String(accountId));

/** The account's id; undefined: no token of ours. */
export function readAlertUnsubscribeToken(secrets: Secrets, token: string): number | undefined {
  try {
    return Number(secrets.readToken(ALERTS, token));
  } catch {
    return undefined;
  }
}

export type Subscription = { readonly streamId: number; readonly accountId: number };
/** A subscription, and what the machine was called in the mail; '' in mails of before that was kept. */
export type Mailed = Subscription & { readonly serial: string };

/** Of the address in a charging mail: whoever has it can end this one subscription, and learns nothing that the mail does not tell. */
export const chargingToken = (secrets: Secrets, { streamId, accountId, serial }: Mailed): string =>
  secrets.token(CHARGING, `${streamId} ${accountId} ${serial}`);

/** undefined: no token of ours. */
export function readChargingToken(secrets: Secrets, token: string): Mailed | undefined {
  const text = textOf(secrets, token) ?? textOfOldMail(secrets, token) ?? '';
  const [, streamId, accountId, serial = ''] = /^(\d+) (\d+)(?: (.*))?$/.exec(text) ?? [];
  if (streamId === undefined || accountId === undefined) return undefined;
  return { streamId: Number(streamId), accountId: Number(accountId), serial };
}

function textOf(secrets: Secrets, token: string): string | undefined {
  try {
    return secrets.readToken(CHARGING, token);
  } catch {
    return undefined;
  }
}

/** Mails from before tokens had keys of their own: their links work until SECRETS_KEY is rotated, which ends every link. */
function textOfOldMail(secrets: Secrets, token: string): string | undefined {
  try {
    return /^unsubscribe (.*)$/.exec(secrets.openUnbound(Buffer.from(token, 'base64url')))?.[1];
  } catch {
    return undefined;
  }
}
