import type { Secrets } from '#server/platform/secrets.ts';

export type Subscription = { readonly streamId: number; readonly accountId: number };

/** What a token is for; nothing else that is sealed with our key begins so. */
const PURPOSE = 'unsubscribe';

/** For an address in a mail: whoever has it can end this one subscription, and do nothing else. */
export const unsubscribeToken = (secrets: Secrets, { streamId, accountId }: Subscription): string =>
  secrets.seal(`${PURPOSE} ${streamId} ${accountId}`).toString('base64url');

/** undefined: no token of ours. */
export function readUnsubscribeToken(secrets: Secrets, token: string): Subscription | undefined {
  let text: string;
  try {
    text = secrets.open(Buffer.from(token, 'base64url'));
  } catch {
    return undefined;
  }
  const [, streamId, accountId] = new RegExp(`^${PURPOSE} (\\d+) (\\d+)$`).exec(text) ?? [];
  if (streamId === undefined || accountId === undefined) return undefined;
  return { streamId: Number(streamId), accountId: Number(accountId) };
}
