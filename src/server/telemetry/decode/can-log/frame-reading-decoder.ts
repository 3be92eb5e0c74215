import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import type { BusReport, EarlierSources } from '#server/telemetry/decode/j1939/bus-report.ts';
import type { Dm1Log } from '#server/telemetry/decode/j1939/dm1-log.ts';
import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import type { LogStats } from '#server/telemetry/decode/log-outcome.ts';
import { TIME_FIELD_NAMES } from '#server/telemetry/decode/reading-rules.ts';
import { type LogOffset, SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import type { CanFrame } from './can-frame.ts';
import type { DecodePlan } from './decode-plan.ts';
import type { FrameSink } from './frame-reader.ts';
import { J1939FrameDecoder } from './group-frames.ts';

/** How frames are decoded. `memory` holds the J1939 sources of earlier logs. */
export type FrameDecodingOptions = { readonly plan: () => DecodePlan; readonly memory: EarlierSources };

/** Maximum number of unknown identifiers that are counted, because a damaged file may contain any number. */
const MAX_UNKNOWN_IDENTIFIERS = 1_000;
const IDENTIFIERS = 2 ** 32;

/** Decodes the frames and values of a log into readings. */
export class FrameReadingDecoder implements FrameSink {
  readonly readings: SecondReadingBuilder;
  readonly #plan: DecodePlan;
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #decoded: Float64Array;
  readonly #groups: J1939FrameDecoder | undefined;
  readonly #from: number;
  /** Identifiers without a definition, each with its bus. */
  readonly #unknown = new Set<number>();
  /** Slot of a value's name; undefined when a CAN signal is mapped to that name, or when the value is a time. */
  readonly #slots = new Map<string, number | undefined>();

  /**
   * Creates the decoder.
   * @param from offset in the log; the frames before it were decoded into readings earlier
   * @throws errors of the plan
   */
  constructor(frames: FrameDecodingOptions, clock: LogClock, stats: LogStats, from: LogOffset) {
    const plan = frames.plan();
    this.readings = new SecondReadingBuilder(plan.names);
    this.#plan = plan;
    this.#clock = clock;
    this.#stats = stats;
    this.#decoded = new Float64Array(plan.names.length);
    this.#groups = plan.buses.some((bus) => bus?.groups)
      ? new J1939FrameDecoder(plan, this.readings, stats, frames.memory)
      : undefined;
    this.#from = from.byteOffset;
  }

  /** Fault codes; undefined if no bus of the definition has J1939. */
  get dm1(): Dm1Log | undefined {
    return this.#groups?.dm1;
  }

  /** Report on the J1939 sources in the log; undefined if no bus of the definition has J1939. */
  get busReport(): BusReport | undefined {
    return this.#groups?.report;
  }

  /** Number of different identifiers without a definition, at most 1,000. */
  get unknownIdentifiers(): number {
    return this.#unknown.size;
  }

  frame(kind: 'frame' | 'remote' | 'error', frame: CanFrame, place: LogOffset): void {
    if (place.byteOffset < this.#from) return;
    if (kind === 'remote') this.#stats.remoteFrames += 1;
    else if (kind === 'error') this.#stats.errorFrames += 1;
    else this.#stats.frames += 1;
    const time = this.#begin(frame.timeMs, place);
    if (kind !== 'frame') return;
    if (time === undefined) this.#stats.refusedTimes += 1;
    else this.#decode(frame, time);
  }

  value(name: string, timeMs: number, value: number, place: LogOffset): void {
    if (place.byteOffset < this.#from) return;
    this.#stats.values += 1;
    if (this.#begin(timeMs, place) === undefined) {
      this.#stats.refusedTimes += 1;
      return;
    }
    if (!this.#slots.has(name)) {
      // A value that is a time is not stored as a signal, because a reading gets its time from its frames and values.
      const isTaken = this.#plan.names.includes(name) || TIME_FIELD_NAMES.some((time) => time === name);
      this.#slots.set(name, isTaken ? undefined : this.readings.slotOf(name));
    }
    const slot = this.#slots.get(name);
    if (slot !== undefined && !this.readings.set(slot, value)) this.#stats.skippedValues += 1;
  }

  /**
   * Sets the time, and the place in the log, of the values that follow.
   * @returns the real time in milliseconds; undefined for a time that no reading may have
   */
  #begin(recordedMs: number, { byteOffset, line }: LogOffset): number | undefined {
    const time = this.#clock.realTime(recordedMs);
    // A reading covers one second. A frame with an invalid time does not end the reading: values before and after the frame belong to it.
    if (time !== undefined) this.readings.at(time, byteOffset, line);
    return time;
  }

  #decode(frame: CanFrame, timeMs: number): void {
    const { bus, data, length } = frame;
    if (frame.extended && this.#groups?.read(frame, timeMs)) return;
    const plan = this.#plan.buses[bus]?.frames.get(messageKey(frame));
    if (plan === undefined) {
      this.#stats.unknownIds += 1;
      if (this.#unknown.size < MAX_UNKNOWN_IDENTIFIERS)
        this.#unknown.add(bus * IDENTIFIERS + messageKey(frame));
      return;
    }
    if (plan === 'unused') return;
    const values = this.#decoded;
    this.#stats.decodedFrames += 1;
    this.#stats.skippedValues += plan.decoder.decode(data, length, values);
    for (const { place, slot, factor, offset } of plan.outputs) {
      const value = values[place] as number;
      if (Number.isNaN(value)) continue;
      if (!this.readings.set(slot, value * factor + offset)) this.#stats.skippedValues += 1;
    }
  }
}
