import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { CanFrame, NamedBus } from './can-frame.ts';

/** Receives the frames and values that a reader finds, in the order of the log. */
export type FrameSink = {
  /**
   * Receives a frame of the bus (`remote`: a request for data), or an error report of the CAN controller.
   * @param frame valid during the call only; for 'remote' and 'error' only its time is valid
   * @param place of the frame in the log: reading can resume there
   */
  frame(kind: 'frame' | 'remote' | 'error', frame: CanFrame, place: LogOffset): void;
  /**
   * Receives a value that is no CAN signal, such as a position.
   * @param timeMs by the recorder's clock, milliseconds since 1970
   * @param name the name that a reading uses
   */
  value(name: string, timeMs: number, value: number, place: LogOffset): void;
};

/** Reads a log file of one format, part by part, and passes its frames to a sink. Memory use does not grow with the file. */
export type FrameReader = {
  /**
   * Reads the next bytes of the file, after decompression.
   * @throws LogError when the rest of the file cannot be read
   */
  push(piece: Uint8Array): void;
  /**
   * Ends the file.
   * @param isCut whether reading stopped before the end of the file
   * @throws LogError when the file cannot be read
   */
  end(isCut: boolean): void;
  /** Offset in the log up to which all frames were passed to the sink. */
  readonly place: LogOffset;
  /** Findings about parts of the file that the reader skipped so far, such as damaged sectors. */
  readonly remarks?: readonly FormatFinding[];
  /** Interfaces that the file has named so far; absent if the format has no names. */
  readonly buses?: readonly NamedBus[] | undefined;
};

/** Reads a file, as far as necessary, before its reader does, to find facts that the reader needs from the beginning on. */
export type LogPrescan = Pick<FrameReader, 'push' | 'end'> & {
  /** How far the logger's clock is off; undefined when it is nearly right or unknown. */
  readonly clockError?: FormatFinding | undefined;
  /** The choices that the prescan made where the file is ambiguous, such as the bus of an interface without a number. */
  readonly remarks?: readonly FormatFinding[];
  /** Whether the prescan needs no more of the file. */
  readonly isDone?: boolean;
  /** Serial number of the logger that recorded the file; undefined if the file does not contain it. */
  readonly recorder?: string | undefined;
};
