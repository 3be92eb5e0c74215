/**
 * CAN messages of the demo's machines. The layout of each signal is defined once: the DBC text, the mapping and the frames of the simulated
 * loggers (simulator/can-log.ts) are generated from it.
 */

/** Encoding of a value: raw = (value - offset) / factor. */
export type CanValueEncoding = {
  readonly bits: number;
  readonly isSigned: boolean;
  readonly factor: number;
  readonly offset: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
};

export type CanSignal = {
  /** Name in the DBC. */
  readonly name: string;
  /** Name in a reading. */
  readonly to: string;
  /** Index of the first byte; the value is right-aligned in whole bytes. */
  readonly firstByte: number;
  readonly number: CanValueEncoding;
};

export type CanMessage = {
  readonly id: number;
  /** The identifier has 29 bits. */
  readonly isExtended: boolean;
  readonly name: string;
  readonly length: number;
  readonly isBigEndian: boolean;
  /** A kept message ('bewaren'): its signals are stored under their DBC names, and none is mapped. */
  readonly isKept: boolean;
  readonly signals: readonly CanSignal[];
};

/** A signal without its position in the message: name in the DBC, name in a reading, encoding. */
export type CanField = readonly [name: string, to: string, number: CanValueEncoding];

type Options = Partial<Pick<CanMessage, 'isExtended' | 'isBigEndian' | 'isKept'>>;

export const byteLengthOf = ({ bits }: CanValueEncoding): number => Math.ceil(bits / 8);

/** Returns a message whose signals follow each other. */
export function canMessage(
  id: number,
  name: string,
  fields: readonly CanField[],
  { isExtended = false, isBigEndian = false, isKept = false }: Options = {},
): CanMessage {
  let length = 0;
  const signals = fields.map(([signal, to, number]) => {
    const firstByte = length;
    length += byteLengthOf(number);
    return { name: signal, to, firstByte, number };
  });
  return { id, isExtended, name, length, isBigEndian, isKept, signals };
}
