import type { Secrets } from '#server/platform/secrets.ts';

export type Subscription = { readonly streamId: number; readonly accountId: number };
/** A subscription, and what the machine was called in the mail; '' in mails of before that was kept. */
export type Mailed = Subscription & { readonly serial: string };

/** What a token is for; nothing else that is sealed with our key begins so. */
const PURPOSE = 'unsubscribe';

/** For an address in a mail: whoever has it can end this one subscription, and learns nothing that the mail does not tell. */
export const unsubscribeToken = (secrets: Secrets, { streamId, accountId, serial }: Mailed): string =>
  secrets.seal(`${PURPOSE} ${streamId} ${accountId} ${serial}`).toString('base64url');

/** undefined: no token of ours. */
export function readUnsubscribeToken(secrets: Secrets, token: string): Mailed | undefined {
  let text: string;
  try {
    text = secrets.open(Buffer.from(token, 'base64url'));
  } catch {
    return undefined;
  }
  const [, streamId, accountId, serial = ''] =
    new RegExp(`^${PURPOSE} (\\d+) (\\d+)(?: (.*))?$`).exec(text) ?? [];
  if (streamId === undefined || accountId === undefined) return undefined;
  return { streamId: Number(streamId), accountId: Number(accountId), serial };
}
