/** Which messages of a bus are SAE J1939, in the words of the definition's page. */
export const J1939_TEXTS = {
  none: 'nee',
  dbc: 'volgens het DBC-bestand',
  all: 'alle berichten van 29 bits',
  some: 'gekozen berichten',
} as const;
export type J1939Choice = keyof typeof J1939_TEXTS;
export const J1939_CHOICES = Object.keys(J1939_TEXTS) as readonly J1939Choice[];

/** The last address of an ECU: 254 is none yet, 255 everybody. */
export const LAST_SOURCE = 253;

/** Returns 'F4': a source address as the field writes it. */
export const sourceText = (source: number): string => source.toString(16).toUpperCase().padStart(2, '0');

/** Returns 'Voltage@F4': the name of a kept signal that more than one source sends. */
export const sourcedName = (name: string, source: number): string => `${name}@${sourceText(source)}`;

/** Returns the name in the DBC file: 'Voltage' for 'Voltage@F4'. */
export const unsourcedName = (name: string): string => name.replace(/@[0-9A-F]{2}$/, '');
