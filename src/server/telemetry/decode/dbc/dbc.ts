/** What a DBC file says of a CAN bus (the vendor-neutral form of Vector's "DBC File Format", 2007). */

export type Dbc = {
  readonly messages: readonly DbcMessage[];
  /** What was read around: signals that are never decoded, attributes of things that do not exist. */
  readonly warnings: readonly DbcWarning[];
};

/** One number per message of a bus: the identifier, with bit 31 set for an extended one. */
export const messageKey = ({ id, extended }: { readonly id: number; readonly extended: boolean }): number =>
  extended ? id + 0x8000_0000 : id;

/** Returns '0x18FF50E5', and '0x1F1' for an identifier of 11 bits. */
export const identifierOf = ({ id, extended }: Pick<DbcMessage, 'id' | 'extended'>): string =>
  `0x${id
    .toString(16)
    .toUpperCase()
    .padStart(extended ? 8 : 3, '0')}`;

type DbcWarning = { readonly line: number; readonly text: string };

export type DbcMessage = {
  /** 11 bits, or 29 when extended; without the DBC's marker bit 31. */
  readonly id: number;
  readonly extended: boolean;
  readonly name: string;
  /** Bytes. */
  readonly dlc: number;
  /** GenMsgCycleTime. */
  readonly cycleMs?: number;
  readonly comment?: string;
  readonly signals: readonly DbcSignal[];
  /** Found by group and source (telemetry/decode/j1939). Not set by the parser, because a person chooses it. */
  readonly isJ1939?: boolean;
};

/** Physical value = raw value x factor + offset. min and max are a hint of the author: never clamp to them. */
export type DbcSignal = {
  readonly name: string;
  /** DBC numbering, 8 x byte + bit: the least significant bit, of a big endian signal the most significant. */
  readonly startBit: number;
  /** 1 to 64. */
  readonly bitCount: number;
  readonly bigEndian: boolean;
  readonly signed: boolean;
  /** 32 and 64: IEEE 754 (SIG_VALTYPE_). */
  readonly float: 0 | 32 | 64;
  readonly factor: number;
  readonly offset: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** Present when the signal is in the frame only while another signal has one of these values. */
  readonly activeWhen?: MultiplexCondition;
  readonly values?: ReadonlyMap<number, string>;
  readonly comment?: string;
  /** Why this signal is never decoded, in Dutch; absent for a good signal. */
  readonly unreadable?: string;
};

/** `ranges`: from and to, both included, of the unsigned raw value of the switch. */
export type MultiplexCondition = {
  readonly switch: string;
  readonly ranges: readonly (readonly [number, number])[];
};

/** A DBC that cannot be used. The message is Dutch and names the line: "regel 12: …". */
export class DbcError extends Error {
  override readonly name = 'DbcError';
  /** 1-based. */
  readonly line: number;

  constructor(line: number, reason: string, source?: string) {
    super(`${source === undefined ? '' : `${source}, `}regel ${line}: ${reason}`);
    this.line = line;
  }
}

const MOST_WARNINGS = 200;

/** What is wrong with a DBC, by line: things to read around, and the one thing that ends the reading. */
export class DbcFindings {
  /** The first 200. */
  readonly warnings: DbcWarning[] = [];
  readonly #source: string | undefined;

  constructor(source?: string) {
    this.#source = source;
  }

  warn(line: number, text: string): void {
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push({ line, text });
  }

  fail(line: number, reason: string): never {
    throw new DbcError(line, reason, this.#source);
  }
}
