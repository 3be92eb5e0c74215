/** Which messages of a bus are SAE J1939: the choices on the page of the data definition. */
export const J1939_SCOPE_TEXTS = {
  none: 'nee',
  dbc: 'volgens het DBC-bestand',
  all: 'alle berichten van 29 bits',
  some: 'gekozen berichten',
} as const;
export type J1939Scope = keyof typeof J1939_SCOPE_TEXTS;
export const J1939_SCOPES = Object.keys(J1939_SCOPE_TEXTS) as readonly J1939Scope[];

/** The highest address of an ECU: 254 means 'no address yet', 255 all ECUs. */
export const MAX_SOURCE_ADDRESS = 253;

/** Returns a source address in hexadecimal: 'F4'. */
export const sourceAddressText = (source: number): string =>
  source.toString(16).toUpperCase().padStart(2, '0');

/** Returns the name of a kept signal that more than one source sends: 'Voltage@F4'. */
export const nameWithSource = (name: string, source: number): string =>
  `${name}@${sourceAddressText(source)}`;

/** Returns the name without its source, as in the DBC file: 'Voltage' for 'Voltage@F4'. */
export const nameWithoutSource = (name: string): string => name.replace(/@[0-9A-F]{2}$/, '');
