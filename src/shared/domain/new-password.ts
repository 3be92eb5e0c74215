/**
 * The length of a new password (ASVS 5.0 V6.2: no composition rules; AUTH-01, AUTH-06, issue 13 item 3). The server also refuses easily
 * guessed passwords (auth/guessable.ts); its lists are too large for the sign-in page.
 */

export const SHORTEST_PASSWORD = 8;
/** Recommended length. */
export const GOOD_LENGTH = 15;
/** Limits the time of hashing. An older password may be longer and still signs in. */
const LONGEST_PASSWORD = 128;

/** Returns the Dutch error about the length of a new password, in characters; undefined: the length is valid. */
export function newPasswordError(password: string): string | undefined {
  const { length } = [...password];
  if (length < SHORTEST_PASSWORD) return `Een wachtwoord heeft minstens ${SHORTEST_PASSWORD} tekens.`;
  if (length > LONGEST_PASSWORD) return `Een wachtwoord heeft hoogstens ${LONGEST_PASSWORD} tekens.`;
  return undefined;
}
