/** Fault codes that ECUs broadcast with DM1 (SAE J1939-73), and their Dutch texts. */

/** The lamps of a DM1, the most severe first. The lamps belong to the whole message, not to one code. */
export const LAMP_TEXTS = {
  stop: 'Stoplamp (rood)',
  warning: 'Waarschuwing (oranje)',
  protect: 'Bescherming',
  malfunction: 'Motorstoringslamp',
} as const;
export type Lamp = keyof typeof LAMP_TEXTS;
export const LAMPS = Object.keys(LAMP_TEXTS) as [Lamp, ...Lamp[]];

export type FaultCode = {
  /** Suspect parameter number, 19 bits, read by version 4 of the standard, also when `isOldLayout`. */
  readonly spn: number;
  /** Failure mode identifier, 5 bits. */
  readonly fmi: number;
  /** The ECU uses one of three older layouts, which a reader cannot distinguish: its SPN is not known. */
  readonly isOldLayout: boolean;
};

/** A period in which an ECU reported a code. Times in ms. */
export type FaultEpisode = FaultCode & {
  /** The number of the CAN bus: 0 for can0. */
  readonly bus: number;
  /** The ECU's address, 0 to 253. */
  readonly source: number;
  /** The first DM1 with the code. */
  readonly since: number;
  /** The last DM1 with the code. */
  readonly lastSeen: number;
  /** The first DM1 of the same ECU without the code; null: the ECU has sent none since. */
  readonly over: number | null;
  /** The most severe lamp that was on in a DM1 with the code; null: none was. */
  readonly lamp: Lamp | null;
  /** The greatest occurrence count that the ECU reported; null: the ECU reports no count. */
  readonly occurrences: number | null;
};

/** Returns 'SPN 100, FMI 1', or 'SPN onbekend (bytes 64 00 01), FMI 1' for a code in an older layout. */
export const faultCodeText = ({ spn, fmi, isOldLayout }: FaultCode): string =>
  isOldLayout ? `SPN onbekend (bytes ${codeBytes(spn, fmi)}), FMI ${fmi}` : `SPN ${spn}, FMI ${fmi}`;

/** Returns the first three bytes of the code in hexadecimal, as the ECU sent them. */
const codeBytes = (spn: number, fmi: number): string =>
  [spn & 0xff, (spn >>> 8) & 0xff, ((spn >>> 16) << 5) + fmi].map(hexByte).join(' ');

const hexByte = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** Returns 'ECU 0x21 op can0'. */
export const faultSourceText = ({ bus, source }: Pick<FaultEpisode, 'bus' | 'source'>): string =>
  `ECU 0x${hexByte(source)} op can${bus}`;

/** Returns a key that identifies a code of an ECU within a machine. */
export const faultKey = ({
  bus,
  source,
  spn,
  fmi,
  isOldLayout,
}: FaultCode & Pick<FaultEpisode, 'bus' | 'source'>): string =>
  `${bus}.${source}.${spn}.${fmi}${isOldLayout ? '.old' : ''}`;

/** Texts of the failure modes 0 to 21; the standard reserves 22 to 30. */
const FMI_TEXTS: readonly string[] = [
  'waarde veel te hoog (ernstig)',
  'waarde veel te laag (ernstig)',
  'waarde wisselt, valt weg of klopt niet',
  'spanning te hoog, of kortsluiting met plus',
  'spanning te laag, of kortsluiting met min',
  'stroom te laag, of onderbroken circuit',
  'stroom te hoog, of kortsluiting met massa',
  'mechanisch deel reageert niet of is ontregeld',
  'frequentie, pulsbreedte of periode klopt niet',
  'bericht komt te vaak of te weinig',
  'waarde verandert te snel of te langzaam',
  'oorzaak onbekend',
  'onderdeel of besturing is defect',
  'niet goed gekalibreerd',
  'bijzondere instructie van de fabrikant',
  'waarde te hoog (licht)',
  'waarde te hoog (matig)',
  'waarde te laag (licht)',
  'waarde te laag (matig)',
  'foute gegevens ontvangen over de CAN-bus',
  'waarde is naar boven afgedreven',
  'waarde is naar beneden afgedreven',
];
const CONDITION_EXISTS = 31;

/** Returns the Dutch text of a failure mode; undefined for a reserved one. */
export const fmiText = (fmi: number): string | undefined =>
  fmi === CONDITION_EXISTS ? 'toestand is aanwezig' : FMI_TEXTS[fmi];

/** Returns 'SPN 100, FMI 1: waarde veel te laag (ernstig)'. */
export function faultText(code: FaultCode): string {
  const meaning = fmiText(code.fmi);
  return meaning === undefined ? faultCodeText(code) : `${faultCodeText(code)}: ${meaning}`;
}

/** Sorts the most severe lamp first, then the newest. */
export const compareBySeverity = (
  one: Pick<FaultEpisode, 'lamp' | 'since'>,
  other: Pick<FaultEpisode, 'lamp' | 'since'>,
): number => severityOf(other.lamp) - severityOf(one.lamp) || other.since - one.since;

const severityOf = (lamp: Lamp | null): number => (lamp === null ? 0 : LAMPS.length - LAMPS.indexOf(lamp));
