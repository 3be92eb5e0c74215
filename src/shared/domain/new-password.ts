/**
 * The length of a new password (ASVS 5.0 V6.2: no composition rules; AUTH-01, AUTH-06, issue 13 item 3). The server also refuses easily
 * guessed passwords (auth/guessable.ts); its lists are too large for the sign-in page.
 */

export const MIN_PASSWORD_CHARACTERS = 8;
/** Recommended length. */
export const RECOMMENDED_PASSWORD_LENGTH = 15;
/** Limits the time of hashing. An older password may be longer and still signs in. */
const MAX_PASSWORD_CHARACTERS = 128;

/** Returns the Dutch error about the length of a new password, in characters; undefined: the length is valid. */
export function newPasswordError(password: string): string | undefined {
  const { length } = [...password];
  if (length < MIN_PASSWORD_CHARACTERS)
    return `Een wachtwoord heeft minstens ${MIN_PASSWORD_CHARACTERS} tekens.`;
  if (length > MAX_PASSWORD_CHARACTERS)
    return `Een wachtwoord heeft hoogstens ${MAX_PASSWORD_CHARACTERS} tekens.`;
  return undefined;
}
