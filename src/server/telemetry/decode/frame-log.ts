import type { FrameLine } from './can-frame.ts';
import { messageKey } from './dbc.ts';
import type { DecodePlan } from './decode-plan.ts';
import type { LogClock } from './log-clock.ts';
import { countBadLine, type LogStats } from './log-stats.ts';
import { type LogPlace, SecondReadings } from './second-readings.ts';
import { TextLines } from './text-lines.ts';

/** Decodes a log of CAN frames, one per line, piece by piece, into readings. */
export class FrameLog {
  readonly readings: SecondReadings;
  readonly #plan: DecodePlan;
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #lines: TextLines;
  readonly #parsed: FrameLine;
  readonly #values: Float64Array;
  readonly #from: number;
  #offset = 0;
  #line: number;
  /** False for a last line without line end. */
  #whole = true;

  /** @param from text before this place was read earlier and is passed */
  constructor(line: FrameLine, plan: DecodePlan, clock: LogClock, stats: LogStats, from: LogPlace) {
    this.#parsed = line;
    this.readings = new SecondReadings(plan.names);
    this.#plan = plan;
    this.#clock = clock;
    this.#stats = stats;
    this.#lines = new TextLines(this.#readLine, from.byteOffset);
    this.#values = new Float64Array(plan.names.length);
    this.#from = from.byteOffset;
    this.#line = from.line;
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
      countBadLine(this.#stats, line + 1);
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
    else this.#decode();
  };

  #decode(): void {
    const { frame } = this.#parsed;
    const plan = this.#plan.buses[frame.bus]?.get(messageKey(frame));
    if (plan === undefined) {
      this.#stats.unknownIds += 1;
      return;
    }
    if (plan === 'unused') return;
    const values = this.#values;
    this.#stats.decodedFrames += 1;
    this.#stats.skippedValues += plan.decoder.decode(frame.data, frame.length, values);
    for (const { place, slot, factor, offset } of plan.outputs) {
      const value = values[place] as number;
      if (Number.isNaN(value)) continue;
      const ours = value * factor + offset;
      if (Number.isFinite(ours)) this.readings.set(slot, ours);
      else this.#stats.skippedValues += 1;
    }
  }
}
