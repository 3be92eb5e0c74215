import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import type { BusReport, SourceMemory } from '#server/telemetry/decode/j1939/bus-report.ts';
import type { Dm1Log } from '#server/telemetry/decode/j1939/dm1-log.ts';
import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import { beginningOf, countBadLine, type LogStats } from '#server/telemetry/decode/log-outcome.ts';
import { type LogPlace, SecondReadings } from '#server/telemetry/decode/second-readings.ts';
import type { FrameLine } from './can-frame.ts';
import type { DecodePlan } from './decode-plan.ts';
import { GroupFrames } from './group-frames.ts';

/** How frames are decoded; `memory` is what earlier logs showed of J1939 sources. */
export type FrameDecoding = { readonly plan: () => DecodePlan; readonly memory: SourceMemory };

/** Decodes a log of CAN frames, one per line, piece by piece, into readings. */
export class FrameLog {
  readonly readings: SecondReadings;
  readonly #plan: DecodePlan;
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #lines: TextLines;
  readonly #parsed: FrameLine;
  readonly #values: Float64Array;
  readonly #groups: GroupFrames | undefined;
  readonly #from: number;
  #offset = 0;
  #line: number;
  /** False for a last line without line end. */
  #whole = true;

  /**
   * @param from text before this place was read earlier and is passed
   * @throws what the plan throws
   */
  constructor(line: FrameLine, frames: FrameDecoding, clock: LogClock, stats: LogStats, from: LogPlace) {
    const plan = frames.plan();
    this.#parsed = line;
    this.readings = new SecondReadings(plan.names);
    this.#plan = plan;
    this.#clock = clock;
    this.#stats = stats;
    this.#lines = new TextLines(this.#readLine, from.byteOffset);
    this.#values = new Float64Array(plan.names.length);
    this.#groups = plan.buses.some((bus) => bus?.groups)
      ? new GroupFrames(plan, this.readings, stats, frames.memory)
      : undefined;
    this.#from = from.byteOffset;
    this.#line = from.line;
  }

  /** Fault codes; undefined: no bus of the definition has J1939. */
  get dm1(): Dm1Log | undefined {
    return this.#groups?.dm1;
  }

  /** Undefined: no bus of the definition has J1939. */
  get busReport(): BusReport | undefined {
    return this.#groups?.report;
  }

  push(piece: Uint8Array): void {
    const passed = Math.max(0, this.#from - this.#offset);
    this.#offset += piece.length;
    this.#lines.push(piece.subarray(passed));
  }

  /**
   * The end of the text. A last line without line end counts when it can be read: what a cut takes away of a
   * candump line is whole bytes of the frame, and a short frame gives only the signals that fit.
   */
  end(_cut: boolean): void {
    this.#whole = false;
    this.#lines.end();
    this.readings.finish();
  }

  /** Everything before this place is in readings that are finished. */
  get place(): LogPlace {
    return this.readings.unfinishedFrom ?? { byteOffset: this.#lines.completeTo, line: this.#line };
  }

  readonly #readLine = (text: Uint8Array, start: number, end: number, byteOffset: number): void => {
    const line = this.#line;
    this.#line += 1;
    const kind = this.#parsed.read(text, start, end, this.#whole);
    if (kind === 'blank') return;
    if (kind === 'bad') {
      const { expected } = this.#parsed;
      countBadLine(this.#stats, line + 1, () => ({ text: beginningOf(text.subarray(start, end)), expected }));
      return;
    }
    if (kind === 'remote') this.#stats.remoteFrames += 1;
    else if (kind === 'error') this.#stats.errorFrames += 1;
    else this.#stats.frames += 1;

    const time = this.#clock.realTime(this.#parsed.frame.timeMs);
    if (time === undefined) this.readings.finish();
    else this.readings.at(time, byteOffset, line);
    if (kind !== 'frame') return;
    if (time === undefined) this.#stats.refusedTimes += 1;
    else this.#decode(time);
  };

  #decode(timeMs: number): void {
    const { frame } = this.#parsed;
    const { bus, data, length } = frame;
    if (frame.extended && this.#groups?.read(frame, timeMs)) return;
    const plan = this.#plan.buses[bus]?.frames.get(messageKey(frame));
    if (plan === undefined) {
      this.#stats.unknownIds += 1;
      return;
    }
    if (plan === 'unused') return;
    const values = this.#values;
    this.#stats.decodedFrames += 1;
    this.#stats.skippedValues += plan.decoder.decode(data, length, values);
    for (const { place, slot, factor, offset } of plan.outputs) {
      const value = values[place] as number;
      if (Number.isNaN(value)) continue;
      if (!this.readings.set(slot, value * factor + offset)) this.#stats.skippedValues += 1;
    }
  }
}

/** Told of each line: its bytes are `start` up to `end` of `text`, valid only during the call. */
type OnLine = (text: Uint8Array, start: number, end: number, byteOffset: number) => void;

/** Longer than any line that a log can hold; what is longer is one bad line. */
export const LONGEST_LINE = 1024;
const NEWLINE = 10;

/**
 * Cuts a stream of bytes into lines, whatever the pieces are. Holds one line at most: a file without line
 * ends does not grow in memory, its line comes out as its first 1,025 bytes.
 */
export class TextLines {
  readonly #onLine: OnLine;
  readonly #rest = new Uint8Array(LONGEST_LINE + 1);
  #restLength = 0;
  /** Of the line that is being gathered, in the whole text. */
  #lineOffset = 0;
  #offset = 0;

  /** @param byteOffset where in the text the first piece begins */
  constructor(onLine: OnLine, byteOffset: number) {
    this.#onLine = onLine;
    this.#lineOffset = byteOffset;
    this.#offset = byteOffset;
  }

  push(piece: Uint8Array): void {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      if (this.#restLength === 0) this.#onLine(piece, start, end, this.#lineOffset);
      else {
        this.#keep(piece, start, end);
        this.#sendRest();
      }
      start = end + 1;
      this.#lineOffset = this.#offset + start;
    }
    this.#keep(piece, start, piece.length);
    this.#offset += piece.length;
  }

  /** The last line, when it has no line end. */
  end(): void {
    if (this.#restLength > 0) this.#sendRest();
  }

  /** Bytes of the text up to the line that is not complete yet. */
  get completeTo(): number {
    return this.#lineOffset;
  }

  #keep(piece: Uint8Array, start: number, end: number): void {
    const length = Math.min(end - start, this.#rest.length - this.#restLength);
    this.#rest.set(piece.subarray(start, start + length), this.#restLength);
    this.#restLength += length;
  }

  #sendRest(): void {
    const length = this.#restLength;
    this.#restLength = 0;
    this.#onLine(this.#rest, 0, length, this.#lineOffset);
  }
}
