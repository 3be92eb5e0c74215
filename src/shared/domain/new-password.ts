/**
 * How long a new password is (ASVS 5.0 V6.2: length alone, no composition rules; AUTH-01, AUTH-06, issue 13 item 3). What
 * is easily guessed is refused besides, by the server: its lists are no load for a sign-in page (auth/guessable.ts).
 */

export const SHORTEST_PASSWORD = 8;
/** Advised, not demanded. */
export const GOOD_LENGTH = 15;
/** Longer ones only cost time to hash. What an account had before may be longer and still signs in. */
const LONGEST_PASSWORD = 128;

/** Why a new password is refused for its length, as a Dutch sentence; undefined when it is accepted. In characters. */
export function newPasswordFault(password: string): string | undefined {
  const { length } = [...password];
  if (length < SHORTEST_PASSWORD) return `Een wachtwoord heeft minstens ${SHORTEST_PASSWORD} tekens.`;
  if (length > LONGEST_PASSWORD) return `Een wachtwoord heeft hoogstens ${LONGEST_PASSWORD} tekens.`;
  return undefined;
}
