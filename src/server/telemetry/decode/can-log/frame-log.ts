import type { BusReport } from '#server/telemetry/decode/j1939/bus-report.ts';
import type { Dm1Log } from '#server/telemetry/decode/j1939/dm1-log.ts';
import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import type { LogStats } from '#server/telemetry/decode/log-outcome.ts';
import type { LogOffset, SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { NamedBus } from './can-frame.ts';
import type { FrameReader, FrameSink } from './frame-reader.ts';
import { type FrameDecodingOptions, FrameReadingDecoder } from './frame-reading-decoder.ts';

/** Decodes a log of CAN frames, part by part, into readings. */
export class FrameLogDecoder {
  readonly #intake: FrameReadingDecoder;
  readonly #reader: FrameReader;

  /**
   * Creates the decoder.
   * @param readerOf creates the reader of the log's format
   * @param from offset in the log; the frames before it were decoded into readings earlier
   * @throws errors of the plan
   */
  constructor(
    readerOf: (sink: FrameSink) => FrameReader,
    frames: FrameDecodingOptions,
    clock: LogClock,
    stats: LogStats,
    from: LogOffset,
  ) {
    this.#intake = new FrameReadingDecoder(frames, clock, stats, from);
    this.#reader = readerOf(this.#intake);
  }

  get readings(): SecondReadingBuilder {
    return this.#intake.readings;
  }

  /** Fault codes; undefined if no bus of the definition has J1939. */
  get dm1(): Dm1Log | undefined {
    return this.#intake.dm1;
  }

  get busReport(): BusReport | undefined {
    return this.#intake.busReport;
  }

  get unknownIdentifiers(): number {
    return this.#intake.unknownIdentifiers;
  }

  get remarks(): readonly FormatFinding[] {
    return this.#reader.remarks ?? [];
  }

  get buses(): readonly NamedBus[] {
    return this.#reader.buses ?? [];
  }

  push(piece: Uint8Array): void {
    this.#reader.push(piece);
  }

  /** Ends the file. @param isCut whether reading stopped before the end of the file */
  end(isCut: boolean): void {
    this.#reader.end(isCut);
    this.readings.finish();
  }

  /** Offset in the log before which all frames are in finished readings. */
  get place(): LogOffset {
    return this.readings.unfinishedFrom ?? this.#reader.place;
  }
}
