/** Content of a DBC file about a CAN bus (the vendor-neutral form of Vector's "DBC File Format", 2007). */

import { formatNumber } from '#shared/domain/nl.ts';

export type Dbc = {
  readonly messages: readonly DbcMessage[];
  /** Statements about unknown messages and signals, and guessed identifiers. */
  readonly warnings: readonly DbcFinding[];
  readonly unreadable: Unreadable;
};

/** Messages, signals and statements that could not be read. */
type Unreadable = {
  /** The first 20 unreadable parts, in the order of the file. */
  readonly first: readonly DbcFinding[];
  readonly count: number;
};

/** Returns a unique number of a message on a bus: the identifier, with bit 31 set for an extended one. */
export const messageKey = ({ id, extended }: { readonly id: number; readonly extended: boolean }): number =>
  extended ? id + 0x8000_0000 : id;

type Named = { readonly name: string; readonly shortName?: string };

/** Returns whether `name` in a mapping refers to this message or signal. */
export const matchesDbcName = (named: Named, name: string): boolean =>
  named.name === name || named.shortName === name;

/** Returns the name of a message or signal in the statements of the file. */
export const shortDbcName = ({ name, shortName = name }: Named): string => shortName;

/** Returns the unreadable lines in Dutch: at most 20, followed by the number of further lines. */
export function unreadableLinesText({ first, count }: Unreadable): string[] {
  const rest = count - first.length;
  return [
    ...first.map(({ line, text }) => `regel ${line}, ${text}`),
    ...(rest > 0 ? [`en nog ${formatNumber(rest)}`] : []),
  ];
}

/** Returns the identifier as '0x18FF50E5', or '0x1F1' for 11 bits. */
export const canIdText = ({ id, extended }: Pick<DbcMessage, 'id' | 'extended'>): string =>
  `0x${id
    .toString(16)
    .toUpperCase()
    .padStart(extended ? 8 : 3, '0')}`;

/** A Dutch text about a line (1-based). */
export type DbcFinding = { readonly line: number; readonly text: string };

export type DbcMessage = {
  /** Identifier of 11 bits, or of 29 if `extended`; without bit 31, with which a DBC marks an extended identifier. */
  readonly id: number;
  readonly extended: boolean;
  /** The long name (SystemMessageLongSymbol) if the file has one. */
  readonly name: string;
  /** The name in the file's statements, at most 32 characters; only present if the file has a long name. */
  readonly shortName?: string;
  readonly dlc: number;
  /** Cycle time of the message (GenMsgCycleTime). */
  readonly cycleMs?: number;
  readonly comment?: string;
  readonly signals: readonly DbcSignal[];
  /**
   * Whether frames are matched to the message by J1939 parameter group and source address, not by the whole identifier
   * (telemetry/decode/j1939). The parser does not set it, because a person chooses it.
   */
  readonly isJ1939?: boolean;
};

/** Physical value = raw value x factor + offset. min and max are hints of the file's author; values are never clamped to them. */
export type DbcSignal = {
  /** The long name (SystemSignalLongSymbol) if the file has one. */
  readonly name: string;
  /** The name in the file's statements; only present if the file has a long name. */
  readonly shortName?: string;
  /** DBC numbering, 8 x byte + bit, of the least significant bit; in a big endian signal, of the most significant bit. */
  readonly startBit: number;
  /** Number of bits: 1 to 64 for a signal that can be read. */
  readonly bitCount: number;
  readonly bigEndian: boolean;
  readonly signed: boolean;
  /** 32 or 64 for an IEEE 754 number of that many bits (SIG_VALTYPE_), 0 for a whole number. */
  readonly float: 0 | 32 | 64;
  readonly factor: number;
  readonly offset: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** Present if a frame contains the signal only while another signal has one of these values. */
  readonly activeWhen?: MultiplexCondition;
  readonly values?: ReadonlyMap<number, string>;
  readonly comment?: string;
  /** Dutch reason why this signal is never decoded; absent for a readable signal. */
  readonly unreadable?: string;
  /** Signals with the same name in other branches of the multiplexer; a frame contains one of them. */
  readonly branches?: readonly DbcSignal[];
};

/** `ranges`: inclusive bounds of the unsigned raw value of the switch. */
export type MultiplexCondition = {
  readonly switch: string;
  readonly ranges: readonly (readonly [number, number])[];
};

/** A DBC that cannot be used. The Dutch message includes the line: "regel 12: …". */
export class DbcError extends Error {
  override readonly name = 'DbcError';
  /** Line number, 1-based. */
  readonly line: number;

  constructor(line: number, reason: string, source?: string) {
    super(`${source === undefined ? '' : `${source}, `}regel ${line}: ${reason}`);
    this.line = line;
  }
}

const MAX_WARNINGS = 200;
const MAX_UNREADABLE = 20;

/** Collects the warnings and errors of one DBC. */
export class DbcFindings {
  /** The first 200 warnings. */
  readonly warnings: DbcFinding[] = [];
  /** The first statement that cannot be used: the reason to reject a file without any readable signal. */
  firstFailure: DbcFinding | undefined;
  readonly #unreadable: DbcFinding[] = [];
  #count = 0;

  warn(line: number, text: string): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ line, text });
  }

  /** Adds a statement that cannot be used. */
  fail(line: number, text: string): void {
    this.firstFailure ??= { line, text };
    this.addUnreadable(line, text);
  }

  addUnreadable(line: number, text: string): void {
    this.#count += 1;
    const at = this.#unreadable.findLastIndex((finding) => finding.line <= line) + 1;
    this.#unreadable.splice(at, 0, { line, text });
    if (this.#unreadable.length > MAX_UNREADABLE) this.#unreadable.pop();
  }

  get unreadable(): Unreadable {
    return { first: this.#unreadable, count: this.#count };
  }
}
