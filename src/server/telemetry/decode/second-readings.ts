import { acceptedValue, type ValueLimits, valueLimitsOf } from '#shared/domain/accepted-values.ts';
import type { Reading } from '#shared/domain/signal.ts';

/** A position in a log at which reading can resume. */
export type LogOffset = {
  /** Offset in the text, after decompression. For a GPX it counts characters (UTF-16), like its parser. */
  readonly byteOffset: number;
  /** Number of lines before the position. */
  readonly line: number;
};

/** The last values of signals in one second, by slot (index of the signal in readings). */
type OpenSecond = {
  readonly second: number;
  readonly began: LogOffset;
  readonly values: Map<number, number>;
  /** Time of each value, in milliseconds. */
  readonly times: Map<number, number>;
};

/**
 * Combines the values of each second into one reading at the time of the whole second (UTC, rounded down; docs/figures.md section
 * 1). For each signal it uses the value with the highest time; if times are equal, the value that is later in the log. Signals of
 * earlier seconds are not repeated. Frames of different buses are not in exact order of time (up to 22 ms late in a real log), so
 * second n still receives values until second n + 2 begins. If the times of a log jump back further, a second may give two readings;
 * the store merges both.
 */
export class SecondReadingBuilder {
  readonly #names: string[];
  readonly #limits: ValueLimits[];
  #timeMs = 0;
  #newest: OpenSecond | undefined;
  /** The second before the newest one, while it is open. */
  #previous: OpenSecond | undefined;
  /** The second that receives values: the newest or the previous one. */
  #current: OpenSecond | undefined;
  #finished: Reading[] = [];
  #finishedValues = 0;
  /** Slots that had a value in a finished second. */
  readonly #found = new Set<number>();

  /** Creates the builder. @param names names of the signals; the index of a name is its slot */
  constructor(names: readonly string[]) {
    this.#names = [...names];
    this.#limits = names.map(valueLimitsOf);
  }

  /** Returns the slot of a name; creates one for a new name. */
  slotOf(name: string): number {
    const known = this.#names.indexOf(name);
    if (known >= 0) return known;
    this.#limits.push(valueLimitsOf(name));
    return this.#names.push(name) - 1;
  }

  /** Sets the time of the following values, and their place in the log. */
  at(timeMs: number, byteOffset: number, line: number): void {
    this.#timeMs = timeMs;
    const second = Math.floor(timeMs / 1000);
    if (second === this.#current?.second) return;
    if (second === this.#newest?.second) this.#current = this.#newest;
    else if (second === this.#previous?.second) this.#current = this.#previous;
    else this.#open({ second, began: { byteOffset, line }, values: new Map(), times: new Map() });
  }

  #open(opened: OpenSecond): void {
    const step = this.#newest === undefined ? undefined : opened.second - this.#newest.second;
    if (step === -1) {
      this.#previous = opened;
    } else if (step === 1) {
      this.#close(this.#previous);
      this.#previous = this.#newest;
      this.#newest = opened;
    } else {
      this.finish();
      this.#newest = opened;
    }
    this.#current = opened;
  }

  /** Sets a value. @returns false for a value outside the limits of its signal */
  set(slot: number, value: number): boolean {
    const accepted = acceptedValue(value, this.#limits[slot] as ValueLimits);
    if (accepted === undefined) return false;
    if (this.#current && this.#timeMs >= (this.#current.times.get(slot) ?? Number.NEGATIVE_INFINITY)) {
      this.#current.values.set(slot, accepted);
      this.#current.times.set(slot, this.#timeMs);
    }
    return true;
  }

  /** Ends the open seconds. */
  finish(): void {
    this.#close(this.#previous);
    this.#close(this.#newest);
    this.#previous = undefined;
    this.#newest = undefined;
    this.#current = undefined;
  }

  #close(open: OpenSecond | undefined): void {
    if (open === undefined || open.values.size === 0) return;
    const signals: Record<string, number> = {};
    for (const [slot, value] of open.values) {
      signals[this.#names[slot] as string] = value;
      this.#found.add(slot);
    }
    this.#finishedValues += open.values.size;
    this.#finished.push({ time: open.second * 1000, signals });
  }

  get finishedCount(): number {
    return this.#finished.length;
  }

  get finishedValues(): number {
    return this.#finishedValues;
  }

  /** Names of the signals that had a value in a finished second. */
  get found(): readonly string[] {
    return Array.from(this.#found, (slot) => this.#names[slot] as string);
  }

  /** Returns the finished readings, each one once. */
  take(): Reading[] {
    const taken = this.#finished;
    this.#finished = [];
    this.#finishedValues = 0;
    return taken;
  }

  /**
   * Position in the log at which the oldest unfinished second began; undefined if there is none. Late frames of a finished second may
   * follow that position. When reading resumes there, these frames give a reading whose values are already stored, which changes
   * nothing.
   */
  get unfinishedFrom(): LogOffset | undefined {
    const [previous, newest] = [this.#previous?.began, this.#newest?.began];
    if (previous === undefined || newest === undefined) return newest;
    return previous.byteOffset < newest.byteOffset ? previous : newest;
  }
}
