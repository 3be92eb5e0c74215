import type { Said } from '#server/telemetry/decode/log-outcome.ts';
import type { LogPlace } from '#server/telemetry/decode/second-readings.ts';
import type { CanFrame, NamedBus } from './can-frame.ts';

/** Takes what a reader finds in a log, in the log's order. */
export type FrameSink = {
  /**
   * Takes a frame of the bus (`remote`: it asks for data and has none), or an error report of the CAN controller.
   * @param frame valid during the call only; of 'remote' and 'error' only its time counts
   * @param place of the frame in the log: reading can begin again there
   */
  frame(kind: 'frame' | 'remote' | 'error', frame: CanFrame, place: LogPlace): void;
  /**
   * Takes a value that is no CAN signal, such as a position.
   * @param timeMs by the recorder's clock, milliseconds since 1970
   * @param name as a reading carries it
   */
  value(name: string, timeMs: number, value: number, place: LogPlace): void;
};

/** Reads a log file of one format, piece by piece, and gives its frames to a sink. Memory does not grow with the file. */
export type FrameReader = {
  /**
   * Reads the next bytes of the file (unpacked, where the file was gzip).
   * @throws LogError when nothing after this can be read
   */
  push(piece: Uint8Array): void;
  /**
   * Ends the file.
   * @param isCut the file is known to go on
   * @throws LogError when the file cannot be read
   */
  end(isCut: boolean): void;
  /** The place up to which everything was given to the sink. */
  readonly place: LogPlace;
  /** Says what was left out so far, such as damaged sectors, in parts of a sentence. */
  readonly remarks?: readonly Said[];
  /** Interfaces that the file named so far, and the bus that each is; absent: the format has no names. */
  readonly buses?: readonly NamedBus[] | undefined;
};

/** Reads a file once before its reader does, to learn what stands behind the place where it is needed. */
export type LogSurvey = Pick<FrameReader, 'push' | 'end'> & {
  /** Says how far the logger's clock is off; undefined: not far, or not known. */
  readonly clockError?: Said | undefined;
  /** Says what it chose, in parts of a sentence. */
  readonly remarks?: readonly Said[];
  /** The survey needs no more of the file. */
  readonly isDone?: boolean;
  /** Serial number of the logger that recorded the file; undefined: the file does not say. */
  readonly recorder?: string | undefined;
};
