import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import type { CanFrame } from './can-frame.ts';
import type { FrameSink } from './frame-reader.ts';

/**
 * Passes the frames of a binary log to a sink. The place of a frame is the number of frames before it, because reading cannot
 * resume at an offset within a packed block.
 */
export class FrameCounter {
  readonly #sink: FrameSink;
  /**
   * The place of a frame. The object is reused for each frame, so that a log of millions makes no garbage; it is valid during the
   * sink's call only.
   */
  readonly #place = { byteOffset: 0, line: 0 };

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  give(kind: 'frame' | 'remote' | 'error', frame: CanFrame): void {
    const place = this.#place;
    this.#sink.frame(kind, frame, place);
    this.#count();
  }

  /** Passes values that the log contains as numbers, without CAN data, and counts them as one frame. */
  giveValues(values: readonly (readonly [name: string, value: number])[], timeMs: number): void {
    for (const [name, value] of values) this.#sink.value(name, timeMs, value, this.#place);
    this.#count();
  }

  #count(): void {
    this.#place.line += 1;
    this.#place.byteOffset += 1;
  }

  get place(): LogOffset {
    return { ...this.#place };
  }
}
