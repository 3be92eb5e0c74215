/** What a new password must be (ASVS 5.0 V6.2: length alone, no composition rules; AUTH-01, AUTH-06). */

export const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 1_000;

/** Why a new password is refused, as a Dutch sentence; undefined when it is accepted. Length in characters. */
export function newPasswordFault(password: string): string | undefined {
  const { length } = [...password];
  if (length < SHORTEST_PASSWORD) return `Een wachtwoord heeft minstens ${SHORTEST_PASSWORD} tekens.`;
  if (length > LONGEST_PASSWORD) return 'Een wachtwoord heeft hoogstens 1.000 tekens.';
  return undefined;
}
