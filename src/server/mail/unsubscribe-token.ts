import type { Secrets } from '#server/platform/secrets.ts';

/** The token of a link in a mail that ends what an id names. Its holder can end that, and learns nothing. */
export type UnsubscribeToken = {
  make(secrets: Secrets, id: number): string;
  /** Returns the id; undefined: the token is invalid. */
  read(secrets: Secrets, token: string): number | undefined;
};

/** @param purpose distinguishes the tokens of one kind of mail from those of others */
export const unsubscribeToken = (purpose: string): UnsubscribeToken => ({
  make: (secrets, id) => secrets.token(purpose, String(id)),
  read(secrets, token) {
    const id = secrets.readToken(purpose, token);
    return id === undefined ? undefined : Number(id);
  },
});
