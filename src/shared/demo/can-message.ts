/**
 * CAN messages of the demo's machines. One table says how a signal lies in its message: the DBC text, the mapping and the
 * frames of the simulated loggers (simulator/can-frame.ts) are all made from it.
 */

/** How a kind of value is written: raw = (value - offset) / factor. */
export type CanNumber = {
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
  /** The value is right-aligned in whole bytes from here on. */
  readonly firstByte: number;
  readonly number: CanNumber;
};

export type CanMessage = {
  readonly id: number;
  /** The identifier has 29 bits. */
  readonly isExtended: boolean;
  readonly name: string;
  readonly length: number;
  readonly isBigEndian: boolean;
  /** Stored under the names of the DBC ('bewaren'), which are those of the reading; no signal is mapped. */
  readonly isKept: boolean;
  readonly signals: readonly CanSignal[];
};

/** A signal without its place: name in the DBC, name in a reading, kind of value. */
export type Field = readonly [name: string, to: string, number: CanNumber];

type Options = Partial<Pick<CanMessage, 'isExtended' | 'isBigEndian' | 'isKept'>>;

export const bytesOf = ({ bits }: CanNumber): number => Math.ceil(bits / 8);

/** Returns a message whose signals follow each other. */
export function canMessage(
  id: number,
  name: string,
  fields: readonly Field[],
  { isExtended = false, isBigEndian = false, isKept = false }: Options = {},
): CanMessage {
  let length = 0;
  const signals = fields.map(([signal, to, number]) => {
    const firstByte = length;
    length += bytesOf(number);
    return { name: signal, to, firstByte, number };
  });
  return { id, isExtended, name, length, isBigEndian, isKept, signals };
}
