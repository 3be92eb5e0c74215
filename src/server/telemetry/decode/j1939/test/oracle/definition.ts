/**
 * An oracle of J1939 decoding: a second implementation, written from the public descriptions of SAE J1939
 * (parts 21, 71 and 73) and the rules of this project, that shares no code with the decoder. It is slow and
 * simple: BigInt for bits and scales, maps for state, one frame after the other.
 *
 * Its input is a definition as a structure, which `dbc-text.ts` prints as a DBC file, and a list of frames.
 */

export type OracleSignal = {
  readonly name: string;
  /** First bit, in DBC numbering. */
  readonly startBit: number;
  readonly bitCount: number;
  readonly bigEndian: boolean;
  readonly signed: boolean;
  /** Physical value = (raw x factor + offset) / 10^decimals. */
  readonly factor: bigint;
  readonly offset: bigint;
  readonly decimals: number;
  /** The DBC's range, in 10^-decimals; absent for [0|0], which means no range. */
  readonly range?: readonly [min: bigint, max: bigint];
  /** Texts of raw values (VAL_). */
  readonly texts?: ReadonlyMap<number, string>;
};

/** VFrameFormat of a message; absent when the file's default applies. */
export type FrameFormat = 'StandardCAN' | 'ExtendedCAN' | 'J1939PG';

export type OracleMessage = {
  readonly name: string;
  readonly id: number;
  readonly extended: boolean;
  readonly bytes: number;
  readonly format?: FrameFormat;
  readonly signals: readonly OracleSignal[];
};

export type OracleBus = {
  readonly bus: number;
  readonly choice: 'none' | 'dbc' | 'all' | 'some';
  /** Identifiers that are J1939 when the choice is 'some'. */
  readonly chosen: readonly number[];
  /** Whether the file contains ProtocolType "J1939". */
  readonly isJ1939Network: boolean;
  /** Default of VFrameFormat; absent when the file does not define the attribute. */
  readonly defaultFormat?: FrameFormat;
  readonly messages: readonly OracleMessage[];
};

export type OracleMapping = {
  readonly bus: number;
  readonly message: string;
  readonly signal: string;
  readonly to: string;
  readonly source?: number;
  readonly factor?: number;
};

export type OracleDefinition = {
  readonly buses: readonly OracleBus[];
  readonly mapped: readonly OracleMapping[];
  readonly kept: readonly { readonly bus: number; readonly message: string }[];
};

export type OracleFrame = {
  /** Whole milliseconds since 1970. */
  readonly time: number;
  readonly bus: number;
  readonly id: number;
  readonly extended: boolean;
  readonly data: readonly number[];
};

/** Returns whether a message is J1939, according to the choice for its bus and to its file. */
export function isJ1939(bus: OracleBus, message: OracleMessage): boolean {
  if (!message.extended || bus.choice === 'none') return false;
  if (bus.choice === 'all') return true;
  if (bus.choice === 'some') return bus.chosen.includes(message.id);
  if (message.format !== undefined) return message.format === 'J1939PG';
  return bus.isJ1939Network || bus.defaultFormat === 'J1939PG';
}
