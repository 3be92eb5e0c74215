import type { Said } from '#server/telemetry/decode/log-outcome.ts';

/** One CAN frame, filled in place so that a log of millions makes no garbage. */
export class CanFrame {
  /** Milliseconds by the recorder's own clock, with a fraction. */
  timeMs = 0;
  /** The number of the CAN bus: 0 for can0. */
  bus = 0;
  /** 11 bits, or 29 when extended. */
  id = 0;
  extended = false;
  /** Bytes of `data` that count: 8 at most, 64 for CAN FD. */
  length = 0;
  readonly data = new Uint8Array(64);
}

/**
 * What a line of a log is. Only of 'frame' the data is filled in; 'frame', 'remote' and 'error' have a time.
 * 'error': the controller's own report (linux/can/error.h), no frame of the bus. 'bad': nothing of it counts.
 */
export type LineKind = 'frame' | 'remote' | 'error' | 'blank' | 'bad';

/** Reads the lines of one way to write CAN logs. */
/** An interface that a log names, and the bus that it is. */
export type NamedBus = { readonly name: string; readonly bus: number };

export type FrameLine = {
  /** The frame of the line that was read last. */
  readonly frame: CanFrame;
  /** Says what a line is like. */
  readonly expected: Said;
  /** Interfaces that the file names, and the bus that each is. */
  readonly buses?: readonly NamedBus[];
  /**
   * @param text the log's bytes, of which the line is `start` up to `end`, without its line end
   * @param whole false: the text ended without a line end, so the line may have lost its tail
   * @throws LogError when nothing of the log can be read
   */
  read(text: Uint8Array, start: number, end: number, whole: boolean): LineKind;
};

export const LONGEST_STANDARD_ID = 0x7ff;
export const LONGEST_EXTENDED_ID = 0x1fff_ffff;

const TAB = 9;
const RETURN = 13;
const SPACE = 32;

export const isBlank = (code: number | undefined): boolean =>
  code === SPACE || code === TAB || code === RETURN;

/** Value of a hexadecimal digit by character code; 255 for anything else. */
export const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? 255 : digit;
});
