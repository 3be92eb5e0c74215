import type { Secrets } from '#server/platform/secrets.ts';

/**
 * The token of an unsubscribe link in a mail. It contains the id of a subscription. A person who has the token can end that
 * subscription, and learns nothing else.
 */
export type UnsubscribeToken = {
  make(secrets: Secrets, id: number): string;
  /** Returns the id; undefined: the token is invalid. */
  read(secrets: Secrets, token: string): number | undefined;
};

/**
 * Returns the functions for the tokens of one kind of mail.
 * @param purpose a text that differs for each kind of mail, so that a token is valid for one kind only
 */
export const unsubscribeToken = (purpose: string): UnsubscribeToken => ({
  make: (secrets, id) => secrets.token(purpose, String(id)),
  read(secrets, token) {
    const id = secrets.readToken(purpose, token);
    return id === undefined ? undefined : Number(id);
  },
});
