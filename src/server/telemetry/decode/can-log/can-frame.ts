import type { LineForm } from '#shared/domain/delivery-findings/format-texts.ts';

/** One CAN frame. Readers reuse the same object, so that a log of millions of frames makes no garbage. */
export class CanFrame {
  /** Milliseconds by the recorder's own clock, with a fraction. */
  timeMs = 0;
  /** Number of the CAN bus: 0 for can0. */
  bus = 0;
  /** Identifier of 11 bits, or of 29 bits if `extended`. */
  id = 0;
  extended = false;
  /** Number of valid bytes in `data`: at most 8, or 64 for CAN FD. */
  length = 0;
  readonly data = new Uint8Array(64);

  /** Whether `id` is larger than its number of bits allows. */
  get hasLargeId(): boolean {
    return this.id > (this.extended ? MAX_EXTENDED_ID : MAX_STANDARD_ID);
  }
}

/**
 * Kind of a line of a log. `data` is set for 'frame' only; 'frame', 'remote' and 'error' have a time. 'error' is a report of the
 * CAN controller itself (linux/can/error.h), not a frame of the bus. A 'bad' line is ignored as a whole.
 */
export type LogLineKind = 'frame' | 'remote' | 'error' | 'blank' | 'bad';

/** A CAN interface that a log names, and the number of its bus. */
export type NamedBus = { readonly name: string; readonly bus: number };

/** Reads the lines of one text format for CAN logs. */
export type FrameLineParser = {
  /** The frame of the most recent line. */
  readonly frame: CanFrame;
  /** The form of a valid line, for error messages. */
  readonly expected: LineForm;
  /** Names of CAN interfaces (such as can0) found in the file so far, each with its bus; absent when the format has no names. */
  readonly buses?: readonly NamedBus[];
  /**
   * Reads the line from `start` to `end` of the text, without its line end.
   * @param whole false: the text ended without a line end, so the end of the line may be missing
   * @throws LogError when the log cannot be read at all
   */
  read(text: Uint8Array, start: number, end: number, whole: boolean): LogLineKind;
};

export const MAX_STANDARD_ID = 0x7ff;
export const MAX_EXTENDED_ID = 0x1fff_ffff;

const TAB = 9;
const RETURN = 13;
const SPACE = 32;

export const isBlank = (code: number | undefined): boolean =>
  code === SPACE || code === TAB || code === RETURN;

/** Returns the hexadecimal number between two offsets of a text; -1 when there is none. */
export function parseHex(text: Uint8Array, from: number, to: number): number {
  if (from === to) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = HEX_DIGIT_VALUES[text[at] as number] as number;
    if (digit > 15) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Value of a hexadecimal digit by character code; 255 for anything else. */
export const HEX_DIGIT_VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? 255 : digit;
});
