/** Which messages of a bus are SAE J1939, in the words of the definition's page. */
export const J1939_WORDS = {
  none: 'nee',
  dbc: 'volgens het DBC-bestand',
  all: 'alle berichten van 29 bits',
} as const;
export type J1939Choice = keyof typeof J1939_WORDS;
export const J1939_CHOICES = Object.keys(J1939_WORDS) as readonly J1939Choice[];
